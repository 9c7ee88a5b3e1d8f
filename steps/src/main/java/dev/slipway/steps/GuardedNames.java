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
 * How this process looks names up, whoever asks: without the addresses that no step may call. A
 * name may change between the moment when it is judged and the one when it is connected to; so that
 * it leads nowhere then, it is looked at here each time.
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

  /** Every address of a host, for whoever judges it: also those that nobody is given. */
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
