import { isDeepStrictEqual } from 'node:util'
import { invalid, notFound, type Refusal, refuse } from '../catalogue/refusals.ts'
import { type EtagLetter, type IfMatch, versionEtag } from '../http/etag.ts'
import { constraintOf, type Tx } from '../platform/db/index.ts'
import type { Author } from '../platform/outbox.ts'

interface Versioned {
  id: string
  version: number
  updatedAt: Date
}

/** What a noun is called and what an edit of it can change. */
export interface Noun<Row extends Versioned, Content extends object> {
  /** As refusals call it: `audience`. */
  name: string
  /** Where it lies, its name is unique, and there are so many of it at most. */
  place: 'project' | 'organization'
  most: number
  letter: EtagLetter
  nameConstraint: string
  /** What an edit can change, as the audit log keeps it. */
  content: (row: Row) => Content
  /** Writes down what happened to one. */
  record: (on: On, row: Row, verb: 'create' | 'update' | 'delete', states: States) => Promise<void>
}

/** A change under way: in which transaction, by whom, in which organization. */
export interface On {
  tx: Tx
  by: Author
  orgId: string
}

export interface States {
  before?: unknown
  after?: unknown
}

type Edit<Content> = { [Field in keyof Content]?: Content[Field] | undefined }

export function nounActions<Row extends Versioned, Content extends object>(noun: Noun<Row, Content>) {
  const { name, place, most, letter, nameConstraint, content, record } = noun
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  const message = `Another ${name}${place === 'project' ? ' of this project' : ''} has this name.`
  const nameTaken = refuse('already_exists', message, { issues: [{ path: ['name'], message }] })
  const etag = ({ version }: Pick<Row, 'version'>): string => versionEtag(letter, version)

  return {
    etag,
    nameTaken,

    /** A name that another transaction has taken meanwhile is seen by the constraint alone. */
    orNameTaken: <Result>(work: Promise<Result | Refusal>): Promise<Result | Refusal> =>
      work.catch((error) => {
        if (constraintOf(error) === nameConstraint) return nameTaken
        throw error
      }),

    refusesMoreThan(count: number): Refusal | undefined {
      if (count < most) return undefined
      const article = place === 'project' ? 'A' : 'An'
      return invalid({ path: [], message: `${article} ${place} may have up to ${most} ${name}s.` })
    },

    async create(on: On, row: Row, insert: (row: Row) => Promise<unknown>): Promise<Row> {
      await insert(row)
      await record(on, row, 'create', { after: content(row) })
      return row
    },

    /** Under the row's lock. `refuses` is asked behind the precondition; `save` writes the row as it is then. */
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
        /** What else follows from the edit. */
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

    /** Under the row's lock. `refuses` is asked behind the precondition. */
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
