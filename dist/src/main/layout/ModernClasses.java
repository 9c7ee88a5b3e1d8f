import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/**
 * Rewrites the classes of a jar to a newer class file version. A start-up cache leaves out classes
 * older than Java 6, and a library compiled for Java 5 would be read and verified at every start.
 */
public final class ModernClasses {
  private static final int TARGET = ClassFile.JAVA_17_VERSION;

  private ModernClasses() {}

  public static void main(String[] arguments) throws IOException {
    Path jar = Path.of(arguments[0]);
    Path fresh = jar.resolveSibling(jar.getFileName() + ".new");
    try (JarFile in = new JarFile(jar.toFile());
        URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()});
        OutputStream file = Files.newOutputStream(fresh);
        JarOutputStream out = new JarOutputStream(file)) {
      ClassFile classes =
          ClassFile.of(
              ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
              ClassFile.ConstantPoolSharingOption.NEW_POOL,
              ClassFile.ClassHierarchyResolverOption.of(
                  ClassHierarchyResolver.ofResourceParsing(loader)
                      .orElse(ClassHierarchyResolver.defaultResolver())));
      for (JarEntry entry : in.stream().toList()) {
        out.putNextEntry(new JarEntry(entry.getName()));
        try (InputStream bytes = in.getInputStream(entry)) {
          byte[] content = bytes.readAllBytes();
          boolean plain =
              !entry.getName().endsWith(".class") || entry.getName().endsWith("module-info.class");
          out.write(plain ? content : modern(classes, content));
        }
        out.closeEntry();
      }
    }
    Files.move(fresh, jar, StandardCopyOption.REPLACE_EXISTING);
  }

  private static byte[] modern(ClassFile classes, byte[] old) {
    ClassModel model = classes.parse(old);
    if (model.majorVersion() >= ClassFile.JAVA_6_VERSION) {
      return old;
    }
    return classes.transformClass(
        model,
        ClassTransform.transformingMethodBodies((code, element) -> code.with(element))
            .andThen(ClassTransform.endHandler(builder -> builder.withVersion(TARGET, 0))));
  }
}
