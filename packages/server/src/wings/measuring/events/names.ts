import type { RuleNames } from './event.ts'

/** A rule with a name that events have for it. */
export interface NamedRule extends RuleNames {
  names: readonly string[]
}

export interface NameSource {
  /** Reads the rules of these flags, or of all flags. */
  load(envId: string, flagKeys: readonly string[] | null): Promise<readonly NamedRule[]>
  /** Whether a different node has published, and this one does not know the new data file yet. */
  isBehind(envId: string): Promise<boolean>
}

export interface KnownNames {
  find(name: string): RuleNames | undefined
}

export interface NameStore {
  /** The names of an environment, from memory if nothing was published since. */
  of(envId: string): KnownNames | Promise<KnownNames>
  /**
   * The names of an environment as they are now, also if a different node has published meanwhile. Call it for a name
   * that is unknown: a rejected event is lost.
   */
  renewed(envId: string): Promise<KnownNames>
  /** Notes that flags changed; null for any. */
  outdate(envId: string, flagKeys: readonly string[] | null): void
  remove(envId: string): void
}

interface Known {
  rules: Map<string, RuleNames>
  /** Flags whose rules have to be read again; null for all. */
  outdated: Set<string> | null
  reading: Promise<void> | undefined
  asking: Promise<void> | undefined
}

/**
 * The rules of environments by name, in memory. A rule keeps its name and id for good, so rules that are deleted stay
 * known on this node: their last exposures can still arrive. A node that starts later knows those that a roll-out has
 * replaced.
 */
export function nameStore({ load, isBehind }: NameSource): NameStore {
  const environments = new Map<string, Known>()

  const knownOf = (envId: string): Known => {
    const known = environments.get(envId)
    if (known) return known
    const unknown = { rules: new Map(), outdated: null, reading: undefined, asking: undefined }
    environments.set(envId, unknown)
    return unknown
  }

  const namesIn = ({ rules }: Known): KnownNames => ({ find: (name) => rules.get(name) })

  async function read(envId: string, known: Known): Promise<void> {
    const { outdated } = known
    known.outdated = new Set()
    try {
      for (const rule of await load(envId, outdated && [...outdated]))
        for (const name of rule.names) known.rules.set(name, withEarlierKeys(rule, known.rules.get(name)))
    } catch (error) {
      known.outdated = outdated && known.outdated ? new Set([...outdated, ...known.outdated]) : null
      throw error
    }
  }

  async function ask(envId: string, known: Known): Promise<void> {
    if (await isBehind(envId)) known.outdated = null
  }

  async function upToDate(envId: string, known: Known): Promise<KnownNames> {
    // A read in progress can be older than this request.
    await known.reading?.catch(() => undefined)
    if (isOutdated(known)) {
      known.reading ??= read(envId, known).finally(() => {
        known.reading = undefined
      })
      await known.reading
    }
    return namesIn(known)
  }

  return {
    of(envId) {
      const known = knownOf(envId)
      return isOutdated(known) || known.reading ? upToDate(envId, known) : namesIn(known)
    },
    async renewed(envId) {
      const known = knownOf(envId)
      // A question in progress can be older than this request. All requests that wait share the next question.
      await known.asking?.catch(() => undefined)
      known.asking ??= ask(envId, known).finally(() => {
        known.asking = undefined
      })
      await known.asking
      return upToDate(envId, known)
    },
    outdate(envId, flagKeys) {
      const known = environments.get(envId)
      if (!known) return
      if (flagKeys === null) known.outdated = null
      else for (const key of flagKeys) known.outdated?.add(key)
    },
    remove: (envId) => void environments.delete(envId),
  }
}

/** SDKs use the former key of a variation until they have the new data file. */
const withEarlierKeys = (rule: RuleNames, earlier: RuleNames | undefined): RuleNames =>
  earlier ? { ...rule, variations: new Map([...earlier.variations, ...rule.variations]) } : rule

const isOutdated = ({ outdated }: Known): boolean => outdated === null || outdated.size > 0
