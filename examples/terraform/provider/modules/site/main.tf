variable "directory" {
  description = "Where the site is"
  type        = string
}

variable "title" {
  description = "Heading of its page"
  type        = string
  default     = ""
}

# Values reach shells through the environment, never as part of a command.
resource "terraform_data" "directory" {
  input = var.directory

  provisioner "local-exec" {
    command     = "mkdir -p \"$DIRECTORY\""
    environment = { DIRECTORY = self.input }
  }
  provisioner "local-exec" {
    when        = destroy
    command     = "rm -rf \"$DIRECTORY\""
    environment = { DIRECTORY = self.input }
  }
}

resource "terraform_data" "page" {
  input            = { file = "${terraform_data.directory.output}/index.html", title = var.title }
  triggers_replace = [terraform_data.directory.id, var.title]

  provisioner "local-exec" {
    command     = "printf '<h1>%s</h1>\\n' \"$TITLE\" > \"$FILE\""
    environment = { FILE = self.input.file, TITLE = replace(replace(self.input.title, "&", "&amp;"), "<", "&lt;") }
  }
}

# Made once. Not its id: ids of resources are no secrets to Terraform, and are logged.
resource "terraform_data" "upload_key" {
  input = sensitive(uuid())
  lifecycle {
    ignore_changes = [input]
  }
}

output "directory" {
  value = terraform_data.directory.output
}

output "page" {
  value = { file = terraform_data.page.output.file, title = var.title }
}

output "letters" {
  value = length(var.title)
}

output "upload_key" {
  value     = terraform_data.upload_key.output
  sensitive = true
}
