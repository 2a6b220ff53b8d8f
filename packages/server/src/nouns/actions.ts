import { isDeepStrictEqual } from 'node:util'
import { actions } from '../catalogue/actions.ts'
import { bodyFieldOf, type CalledBy, nouns, type PlainNoun, type VersionedNoun } from '../catalogue/nouns.ts'
import type { PayloadOf } from '../catalogue/payloads.ts'
import { invalid, notFound, type Refusal, refuse } from '../catalogue/refusals.ts'
import { type IfMatch, versionEtag } from '../http/etag.ts'
import { constraintOf, type Tx } from '../platform/db/index.ts'
import { newId } from '../platform/ids.ts'
import type { Author, ProjectChange } from '../platform/outbox.ts'

interface Versioned {
  id: string
  version: number
  updatedAt: Date
}

/** The name of a noun, and what an edit of it can change. */
export interface Noun<Row extends Versioned, Content extends object> {
  noun: VersionedNoun
  /** The parent of the noun. Names are unique and their number is limited within it. */
  place: 'project' | 'organization'
  most: number
  nameConstraint: string
  /** Set if rows have a key that is checked by the database alone. */
  keyConstraint?: string
  /** Refusals by the constraint of the database that notices them. */
  taken?: Readonly<Record<string, Refusal>>
  /** The content that an edit can change, as the audit log shows it. */
  content: (row: Row) => Content
  /** Records a change of one row. */
  record: (on: On, row: Row, verb: Verb, states: States) => Promise<void>
}

/** A change in progress: its transaction, author and organization. */
export interface On {
  tx: Tx
  by: Author
  orgId: string
}

export interface States {
  before?: unknown
  after?: unknown
}

/** The nouns of a project that are recorded by their names alone. */
type Recorded = PlainNoun | 'environment'
type Verb = 'create' | 'update' | 'delete'

/**
 * The `record` of a noun of a project: the action of the verb, and its event.
 *
 * @param body what the body of the event says about the row
 */
export const recordedAs =
  <Type extends Recorded, Row extends { id: string; projectId: string; name: string }>(
    type: Type,
    body: (row: Row) => PayloadOf<`${Type}.created`>,
  ) =>
  ({ tx, by, orgId }: On, row: Row, verb: Verb, states: States): Promise<void> => {
    const { id, projectId, name } = row
    const action: `${Recorded}.${Verb}` = `${type}.${verb}`
    const [event] = actions[action].events
    // The three events of a noun have the same body, but types cannot express that for every noun.
    const events = [{ name: event, payload: body(row) }] as ProjectChange<`${Recorded}.${Verb}`>['events']
    return by.record(tx, { ...states, action, orgId, projectId, object: { type: type as Recorded, id, name }, events })
  }

/** The body of a plain noun: its names. */
export function namesIn<N extends PlainNoun>(noun: N, row: Called<CalledBy<N>>): PayloadOf<`${N}.created`> {
  const { id, name, key, shortId }: { id: string; name: string; key?: string; shortId?: number } = row
  const { calledBy } = nouns[noun].address as { calledBy: 'key' | 'number' | 'both' }
  const names = { id, ...(calledBy !== 'key' && { shortId }), ...(calledBy !== 'number' && { key }), name }
  return { [bodyFieldOf(noun)]: names } as PayloadOf<`${N}.created`>
}

/** The names of a row, by what its address accepts. */
export type Called<By> = { id: string; name: string } & (By extends 'key' ? unknown : { shortId: number }) &
  (By extends 'number' ? unknown : { key: string })

/** What every new row of a project begins with. */
export const newRow = ({ now }: Author, projectId: string) => ({
  id: newId(),
  projectId,
  version: 1,
  createdAt: now,
  updatedAt: now,
})

type Edit<Content> = { [Field in keyof Content]?: Content[Field] | undefined }

type Limits = Pick<Noun<Versioned, object>, 'noun' | 'place' | 'most' | 'nameConstraint' | 'keyConstraint' | 'taken'>

/** What is refused because of the other rows of the parent. */
function refusalsOf({ noun, place, most, nameConstraint, keyConstraint, taken: others = {} }: Limits) {
  const { label, plural } = nouns[noun]
  const taken = (field: 'name' | 'key'): Refusal => {
    const message = `Another ${label.toLowerCase()}${place === 'project' ? ' of this project' : ''} has this ${field}.`
    return refuse('already_exists', message, { issues: [{ path: [field], message }] })
  }
  const nameTaken = taken('name')
  const keyTaken = taken('key')

  return {
    nameTaken,

    keyTaken,

    /** If another transaction takes the name or key at the same time, only the constraint notices. */
    orTaken: <Result>(work: Promise<Result | Refusal>): Promise<Result | Refusal> =>
      work.catch((error) => {
        const constraint = constraintOf(error)
        if (constraint === nameConstraint) return nameTaken
        if (keyConstraint && constraint === keyConstraint) return keyTaken
        const other = others[constraint ?? '']
        if (other) return other
        throw error
      }),

    refusesMoreThan(count: number): Refusal | undefined {
      if (count < most) return undefined
      const article = place === 'project' ? 'A' : 'An'
      return invalid({ path: [], message: `${article} ${place} can have up to ${most} ${plural.toLowerCase()}.` })
    },
  }
}

export function nounActions<Row extends Versioned, Content extends object>(of: Noun<Row, Content>) {
  const { noun, content, record } = of
  const title = nouns[noun].label
  const etag = ({ version }: Pick<Row, 'version'>): string => versionEtag(noun, version)

  return {
    etag,
    ...refusalsOf(of),

    async create(on: On, row: Row, insert: (row: Row) => Promise<unknown>): Promise<Row> {
      await insert(row)
      await record(on, row, 'create', { after: content(row) })
      return row
    },

    /** Call it with the row locked. `refuses` is called after the precondition; `save` writes the edited row. */
    async edit(
      on: On,
      row: Row | undefined,
      {
        ifMatch,
        edit,
        refuses,
        next = (edited) => edited,
        save,
      }: {
        ifMatch: IfMatch
        edit: Edit<Content>
        refuses?: (after: Content) => Promise<Refusal | undefined>
        /** Further changes that follow from the edit. */
        next?: (edited: Row, before: Row) => Row
        save: (edited: Row, before: Row) => Promise<unknown>
      },
    ): Promise<Row | Refusal> {
      if (!row) return notFound(title)
      const before = content(row)
      const given = Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined))
      const after: Content = { ...before, ...given }
      const refusal = ifMatch(etag(row)) ?? (await refuses?.(after))
      if (refusal) return refusal
      if (isDeepStrictEqual(before, after)) return row
      const edited = next({ ...row, ...after, version: row.version + 1, updatedAt: on.by.now }, row)
      await save(edited, row)
      await record(on, edited, 'update', { before, after })
      return edited
    },

    /** Call it with the row locked. `refuses` is called after the precondition. */
    async remove(
      on: On,
      row: Row | undefined,
      {
        ifMatch,
        refuses,
        remove,
      }: {
        ifMatch: IfMatch
        refuses?: (row: Row) => Promise<Refusal | undefined>
        remove: (row: Row) => Promise<unknown>
      },
    ): Promise<Row | Refusal> {
      if (!row) return notFound(title)
      const refusal = ifMatch(etag(row)) ?? (await refuses?.(row))
      if (refusal) return refusal
      await remove(row)
      await record(on, row, 'delete', { before: content(row) })
      return row
    },
  }
}
