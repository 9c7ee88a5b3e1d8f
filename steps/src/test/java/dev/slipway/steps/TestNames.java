package dev.slipway.steps;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The name resolution of this JVM: names that tests define, and the machine's; guarded as in
 * production.
 */
public final class TestNames extends InetAddressResolverProvider {
  private static final Map<String, Iterator<List<String>>> ANSWERS = new ConcurrentHashMap<>();

  /** Defines the addresses of a name. */
  static String named(String name, String... addresses) {
    return changing(name, List.of(List.of(addresses)));
  }

  /** Defines different addresses for each lookup of a name. */
  static String changing(String name, List<List<String>> answers) {
    ANSWERS.put(name, answers.iterator());
    return name;
  }

  @Override
  public InetAddressResolver get(Configuration configuration) {
    return GuardedNames.guarded(named(configuration.builtinResolver()));
  }

  private static InetAddressResolver named(InetAddressResolver machine) {
    return new InetAddressResolver() {
      @Override
      public Stream<InetAddress> lookupByName(String host, LookupPolicy policy)
          throws UnknownHostException {
        Iterator<List<String>> answers = ANSWERS.get(host);
        return answers == null ? machine.lookupByName(host, policy) : addresses(answers.next());
      }

      @Override
      public String lookupByAddress(byte[] address) throws UnknownHostException {
        return machine.lookupByAddress(address);
      }
    };
  }

  private static Stream<InetAddress> addresses(List<String> literals) throws UnknownHostException {
    List<InetAddress> addresses = new ArrayList<>();
    for (String literal : literals) {
      addresses.add(InetAddress.ofLiteral(literal));
    }
    return addresses.stream();
  }

  @Override
  public String name() {
    return "names of tests";
  }
}
