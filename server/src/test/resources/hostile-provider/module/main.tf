variable "word" { type = string }
resource "terraform_data" "thing" { input = var.word }
output "word" { value = terraform_data.thing.output }
