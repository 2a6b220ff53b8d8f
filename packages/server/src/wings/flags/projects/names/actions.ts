import { nearest } from '@svc/core'
import { addresses, auditedNoun, type ProjectNoun } from '../../../../catalogue/nouns.ts'
import { holdsScope, type Scope } from '../../../../catalogue/scopes.ts'
import type { Caller } from '../../../../http/credentials.ts'
import type { Missing, Named } from '../../../../http/not-found-text.ts'
import type { PathNames } from '../../../../path-names.ts'
import type { Db } from '../../../../platform/db/index.ts'
import { isId } from '../../../../platform/ids.ts'
import { findNames, keysLike } from './queries.ts'

/**
 * How many keys are compared with a name, and how many letters a compared name has at most: every 404 can cost this. Keys
 * are missed only where more than this many have the letters of the name.
 */
const mostCompared = 500
const mostLetters = 50
const mostShown = 8

type Holder = Pick<Caller, 'organization' | 'projects' | 'scopes'>

/**
 * Which name of an address does not exist, and what there is in its place. A project that the caller cannot see is missing.
 * Names that follow one that the caller has no right to read are not told apart from it.
 */
export async function missingOf(db: Db, caller: Holder, sent: readonly Named[]): Promise<Missing> {
  const names = Object.fromEntries(
    sent.filter(({ param }) => nounAt(param)).map(({ param, name }) => [param, name]),
  ) as unknown as PathNames
  if (names.projectId === undefined) return { names: sent.slice(-1) }
  const { organization, projects } = caller
  const found = await findNames(db, organization.id, names, true)
  const sees = found !== undefined && (projects === null || projects.has(found.projectId!))
  const exists = ({ param }: Named) => sees && nounAt(param) !== undefined && found[param as keyof PathNames] !== null
  const first = sent.findIndex((each) => !exists(each))
  if (first === -1) return { names: [] }
  const { param, name } = sent[first]!
  const hidden = sent.findIndex(({ param }) => !knows(caller, nounAt(param)))
  if (hidden !== -1 && hidden <= first) return { names: sent.slice(hidden) }
  const noun = nounAt(param)
  // Who sends an id has not mistyped a key.
  if (noun === undefined || isId(name) || !reads(caller, noun)) return { names: [sent[first]!] }
  const { projectId, flagId, envId } = (sees ? found : {}) as Partial<Record<keyof PathNames, string>>
  const place = { orgId: organization.id, projects, projectId: projectId!, flagId: flagId!, envId: envId ?? null }
  const keys = await keysLike(db, noun, place, textOf(name), mostCompared)
  if (noun === 'rule' && names.envId === undefined && keys.includes(name))
    return { names: [sent[first]!], isAmbiguous: true }
  return { names: [sent[first]!], ...thereIs(name, keys) }
}

const nounAt = (param: string): ProjectNoun | undefined => addresses.find((each) => each.param === param)?.noun

const reads = ({ scopes }: Holder, noun: ProjectNoun): boolean => holdsScope(scopes, auditedNoun(noun).readBy)

/**
 * Whether the caller is told which of them exists: who reads or writes them is. A project and its environments are known
 * to all who can call a route in it, and what is no noun belongs to the one before it.
 */
function knows(caller: Holder, noun: ProjectNoun | undefined): boolean {
  if (noun === undefined || noun === 'project' || noun === 'environment') return true
  const { readBy } = auditedNoun(noun)
  return reads(caller, noun) || holdsScope(caller.scopes, readBy.replace(/:read$/, ':write') as Scope)
}

function thereIs(name: string, keys: string[]): Pick<Missing, 'meant' | 'there'> {
  const meant = name.length <= mostLetters ? nearest(name, keys.toSorted()) : undefined
  if (meant !== undefined) return { meant }
  return { there: { keys: keys.slice(0, mostShown).sort(), hasMore: keys.length > mostShown } }
}

/** No text of the database has a NUL character. */
const textOf = (name: string): string => name.replaceAll('\0', '')
