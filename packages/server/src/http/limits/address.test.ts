import { expect, test } from 'vitest'
import { addressSubject, networkOf } from './address.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:207', '192.0.2.7'],
  ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['fe80::2%eth1', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['unknown', 'unknown'],
])('%s counts as %s', (ip, subject) => expect(addressSubject(ip)).toBe(`address ${subject}`))

test.each([
  ['198.51.7.200', '198.51.7.0/24'],
  ['::ffff:198.51.7.9', '198.51.7.0/24'],
  ['2a00:1450:4001:81b::200e', '2a00:1450:4001::/48'],
  ['2a00:1450:4001:ffff::1', '2a00:1450:4001::/48'],
  ['127.0.0.1', undefined],
  ['10.1.2.3', undefined],
  ['192.168.0.7', undefined],
  ['100.64.1.1', undefined],
  ['169.254.1.1', undefined],
  ['::1', undefined],
  ['fe80::1%eth0', undefined],
  ['fd00::1', undefined],
  ['unknown', undefined],
])('%s is in the network %s', (ip, network) => expect(networkOf(ip)).toBe(network))
