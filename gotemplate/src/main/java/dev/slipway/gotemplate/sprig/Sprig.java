package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Function;
import dev.slipway.gotemplate.Functions;
import java.util.ArrayList;
import java.util.List;

/**
 * The safe part of sprig 3.3, in sets to compose. What is left out is refused by name with the
 * reason.
 *
 * <p>As in sprig, {@code set}, {@code unset} and the merges change the dict they are given. A
 * template that calls one of them gets a copy of the caller's data, so that they never change it.
 */
public final class Sprig {
  private static final String SERVER = "it would show the server to the template";
  private static final String RANDOM = "it gives another result on every call";
  private static final String TIME = "it depends on the time of the call";
  private static final String COSTLY = "it is random or costly";

  private static final Functions PURE = pureFunctions();

  private Sprig() {}

  /**
   * Everything whose result depends on nothing but the arguments. Date functions that are given no
   * date take the clock of the settings.
   */
  public static Functions pure() {
    return PURE;
  }

  /** {@code now} and {@code ago} on the clock of the settings. */
  public static Functions withSettingsClock() {
    List<Function> all = new ArrayList<>(DateFunctions.dates());
    all.addAll(DateFunctions.present());
    return Functions.of(all);
  }

  /** {@code toYaml}, which sprig itself does not have. */
  public static Functions yaml() {
    return Functions.of(YamlFunctions.all());
  }

  private static Functions pureFunctions() {
    List<Function> all = new ArrayList<>();
    all.addAll(StringFunctions.all());
    all.addAll(TextListFunctions.all());
    all.addAll(NumberFunctions.all());
    all.addAll(DefaultFunctions.all());
    all.addAll(ListFunctions.all());
    all.addAll(DictFunctions.all());
    all.addAll(TypeFunctions.all());
    all.addAll(JsonFunctions.all());
    all.addAll(EncodingFunctions.all());
    all.addAll(PathFunctions.all());
    all.addAll(UrlFunctions.all());
    all.addAll(RegexFunctions.all());
    all.addAll(SemverFunctions.all());
    all.addAll(DateFunctions.dates());
    return Functions.of(all)
        .excluding(SERVER, "env", "expandenv", "getHostByName")
        .excluding(TIME, "now", "ago")
        .excluding(
            RANDOM,
            "randAlpha",
            "randAlphaNum",
            "randAscii",
            "randNumeric",
            "randBytes",
            "randInt",
            "shuffle",
            "uuidv4")
        .excluding(
            COSTLY,
            "bcrypt",
            "htpasswd",
            "derivePassword",
            "encryptAES",
            "decryptAES",
            "buildCustomCert",
            "genPrivateKey",
            "genCA",
            "genCAWithKey",
            "genSelfSignedCert",
            "genSelfSignedCertWithKey",
            "genSignedCert",
            "genSignedCertWithKey");
  }
}
