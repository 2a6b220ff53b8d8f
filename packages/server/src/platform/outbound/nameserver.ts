import { lookup, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const queryTimeoutMs = 1_000
const queryTries = 2
// Some name servers never answer for the other address family (RFC 8305, section 3).
const otherFamilyMs = 250
const shareMs = 100
const hostsPath = '/etc/hosts'

export interface Address {
  address: string
  family: 4 | 6
}

/** Every address of a host. Throws if it has none or cannot be resolved. */
export type Resolve = (host: string) => Promise<Address[]>

/**
 * For names that customers choose. It asks the name servers directly: the system's lookup occupies one of two threads
 * until it is answered, so that two names of a slow server would delay every delivery.
 */
export const askNameservers: Resolve = async (host) => {
  const fixed = await inHostsFile(host)
  if (fixed.length > 0) return fixed
  // A new resolver each time reads resolv.conf again and caches nothing.
  const resolver = new Resolver({ timeout: queryTimeoutMs, tries: queryTries })
  const found = new Map<4 | 6, string[]>()
  const asked = [
    resolver.resolve4(host).then((addresses) => found.set(4, addresses)),
    resolver.resolve6(host).then((addresses) => found.set(6, addresses)),
  ]
  const both = Promise.allSettled(asked)
  await Promise.race([
    both,
    Promise.any(asked).then(
      () => pause(otherFamilyMs),
      () => both,
    ),
  ])
  resolver.cancel()
  const addresses = ([4, 6] as const).flatMap((family) =>
    (found.get(family) ?? []).map((address): Address => ({ address, family })),
  )
  if (addresses.length === 0) throw new Error(`no address for ${host}`)
  return addresses
}

/**
 * For the few names that the operator allowed: uses search domains, mDNS and everything else that is set up on the
 * machine.
 */
export const askSystem: Resolve = async (host) => {
  const addresses = await lookup(host, { all: true, order: 'verbatim' })
  return addresses.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}

/**
 * Attempts that begin within a tenth of a second share one answer, so that a burst asks once. In the second half of that
 * time, the next answer is asked for if there is one already, so that a long queue does not wait for one ten times a
 * second, and a slow server is not asked twice at once.
 */
export function shared<Answer extends object>(
  ask: (question: string) => Promise<Answer>,
): (question: string) => Answer | Promise<Answer> {
  const recent = new Map<string, Shared<Answer>>()

  function begin(question: string): Shared<Answer> {
    const begun: Shared<Answer> = { asked: ask(question), answer: undefined, isAging: false, next: undefined }
    begun.asked.then(
      (answer) => {
        begun.answer = answer
      },
      () => {},
    )
    setTimeout(() => {
      begun.isAging = true
    }, shareMs / 2).unref()
    setTimeout(() => {
      if (recent.get(question) !== begun) return
      if (begun.next) recent.set(question, begun.next)
      else recent.delete(question)
    }, shareMs).unref()
    return begun
  }

  return (question) => {
    let known = recent.get(question)
    if (!known) {
      known = begin(question)
      recent.set(question, known)
    }
    if (known.answer && known.isAging) known.next ??= begin(question)
    return known.answer ?? known.asked
  }
}

/** An answer that attempts share, and the next one. */
interface Shared<Answer> {
  asked: Promise<Answer>
  answer: Answer | undefined
  isAging: boolean
  next: Shared<Answer> | undefined
}

async function inHostsFile(host: string): Promise<Address[]> {
  const text = await readFile(hostsPath, 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    const family = isIP(address)
    return family !== 0 && names.some((name) => name.toLowerCase() === host)
      ? [{ address, family: family as 4 | 6 }]
      : []
  })
}
