package dev.slipway.steps;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolver.LookupPolicy;
import java.net.spi.InetAddressResolverProvider;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The name resolution of this process, which leaves out addresses that no step may call. A name may
 * resolve to another address between the check and the connection, so the addresses are filtered at
 * every lookup.
 */
public final class GuardedNames extends InetAddressResolverProvider {
  private static final LookupPolicy EVERY = LookupPolicy.of(LookupPolicy.IPV4 | LookupPolicy.IPV6);
  private static final Pattern LITERAL = Pattern.compile("\\[.*|[0-9.]+");

  private static volatile @Nullable InetAddressResolver plain;

  @Override
  public InetAddressResolver get(Configuration configuration) {
    return guarded(configuration.builtinResolver());
  }

  static InetAddressResolver guarded(InetAddressResolver machine) {
    plain = machine;
    return new Guard(machine);
  }

  @Override
  public String name() {
    return "slipway";
  }

  /** Every address of a host, for the check: also those that lookups leave out. */
  static List<InetAddress> all(String host) throws UnknownHostException {
    InetAddressResolver machine = plain;
    if (machine == null || LITERAL.matcher(host).matches()) {
      return List.of(InetAddress.getAllByName(host));
    }
    try (Stream<InetAddress> found = machine.lookupByName(host, EVERY)) {
      return found.toList();
    }
  }

  private record Guard(InetAddressResolver machine) implements InetAddressResolver {
    @Override
    public Stream<InetAddress> lookupByName(String host, LookupPolicy policy)
        throws UnknownHostException {
      List<InetAddress> free;
      try (Stream<InetAddress> found = machine.lookupByName(host, policy)) {
        free = found.filter(address -> !HostRules.forbidden(address)).toList();
      }
      if (free.isEmpty()) {
        throw new UnknownHostException(host + " has no address that may be called");
      }
      return free.stream();
    }

    @Override
    public String lookupByAddress(byte[] address) throws UnknownHostException {
      return machine.lookupByAddress(address);
    }
  }
}
