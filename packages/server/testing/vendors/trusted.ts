import { readFile } from 'node:fs/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { Authority } from '../../src/platform/outbound/testing/certificates.ts'

/**
 * Lets this process trust the certificates of an authority, as `NODE_EXTRA_CA_CERTS` would for one that starts. Returns
 * what ends that.
 */
export async function trust({ caPath }: Pick<Authority, 'caPath'>): Promise<() => void> {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, await readFile(caPath, 'utf8')])
  return () => setDefaultCACertificates(before)
}
