import { type CalledBy, nouns, type PlainNoun } from '../../../../catalogue/nouns.ts'
import type { PayloadOf } from '../../../../catalogue/payloads.ts'
import type { Refusal } from '../../../../catalogue/refusals.ts'
import type { IfMatch } from '../../../../http/etag.ts'
import { type Called, type NounQueries, namesIn, newRow, nounActions, recordedAs } from '../../../../nouns/index.ts'
import type { Db, Tx } from '../../../../platform/db/index.ts'
import type { Author } from '../../../../platform/outbox.ts'
import { inTransaction } from '../../../../platform/transaction.ts'
import { takeShortIds } from '../../../model/short-ids/index.ts'
import { inProject } from '../actions.ts'
import { keyFor } from '../key.ts'

/** What every row of a noun of a project has. */
export interface NamedRow {
  id: string
  projectId: string
  key: string
  name: string
  version: number
  createdAt: Date
  updatedAt: Date
}

export type Edit<Content> = { [Field in keyof Content]?: Content[Field] | undefined }

/** What a noun has of its own. `wanted` is what a caller can choose of a new one, and `content` what an edit can change. */
interface ProjectNoun<Noun extends PlainNoun, Row extends NamedRow, Content extends object, New extends object> {
  noun: Noun
  /** The most that a project can have. */
  most: number
  /** What a made key is without letters or digits in the name. Default: the noun. */
  word?: string
  queries: NounQueries<Row>
  content: (row: Row) => Content
  /** The fields of a new row that nobody chooses. */
  begin: (id: string) => Omit<Row, keyof New | keyof NamedRow | 'shortId'>
  insert: (tx: Tx, row: Row, by: Author) => Promise<unknown>
  save: (tx: Tx, row: Row, by: Author) => Promise<unknown>
  /** Refusals by the constraint of the database that notices them, besides those of name and key. */
  taken?: Readonly<Record<string, Refusal>>
  /** Locks what comes before the row in the order of locks, if an edit needs it. */
  lockFirst?: (tx: Tx, projectId: string, edit: Edit<Content>) => Promise<unknown>
  /** Default: deletes the row alone. */
  remove?: (tx: Tx, id: string) => Promise<unknown>
  /** What the bodies of its events say. Default: its names. */
  body?: (row: Row) => PayloadOf<`${Noun}.created`>
  refuses?: {
    /** Content that is wrong in every state. `given` is the body. */
    content?: (tx: Tx, projectId: string, content: New | Content, given: Edit<New>) => Promise<Refusal | undefined>
    edit?: (tx: Tx, row: Row, after: Content) => Promise<Refusal | undefined>
    delete?: (tx: Tx, row: Row) => Promise<Refusal | undefined>
  }
}

/** The actions of a noun of a project, as its routes call them. */
export interface ProjectNounActions<Row, Content, New> {
  noun: PlainNoun
  queries: NounQueries<Row>
  etag: (row: Row) => string
  create: (db: Db, by: Author, project: { orgId: string; id: string }, wanted: New) => Promise<Row | Refusal>
  update: (
    db: Db,
    by: Author,
    ifMatch: IfMatch,
    which: { orgId: string; projectId: string; id: string },
    edit: Edit<Content>,
  ) => Promise<Row | Refusal>
  delete: (
    db: Db,
    by: Author,
    ifMatch: IfMatch,
    which: { orgId: string; projectId: string; id: string },
    /** What it was asked besides. */
    asked?: Record<string, unknown>,
  ) => Promise<Row | Refusal>
}

/** Create, update and delete of a noun with a key, as its row in the catalogue says. */
export function projectNoun<
  Noun extends PlainNoun,
  Row extends NamedRow & Called<CalledBy<Noun>>,
  Content extends { name: string },
  New extends { name: string; key?: string | undefined },
>(of: ProjectNoun<Noun, Row, Content, New>): ProjectNounActions<Row, Content, New> {
  const { noun, most, queries, content, refuses = {} } = of
  const { table, calledBy } = nouns[noun].address
  const hasNumber = calledBy !== 'key'
  const actions = nounActions<Row, Content & { key: string }>({
    noun,
    place: 'project',
    most,
    nameConstraint: `${table}_name_key`,
    keyConstraint: `${table}_key_key`,
    ...(of.taken && { taken: of.taken }),
    content: (row) => ({ key: row.key, ...content(row) }),
    record: recordedAs(noun, of.body ?? ((row) => namesIn(noun, row))),
  })

  return {
    noun,
    queries,
    etag: actions.etag,

    create(db, by, project, wanted) {
      const work = inProject(db, by, project, async (on) => {
        const { tx } = on
        const projectId = project.id
        const taken = await queries.keys(tx, projectId)
        const refusal =
          (await refuses.content?.(tx, projectId, wanted, wanted)) ??
          actions.refusesMoreThan(taken.size) ??
          (wanted.key !== undefined && taken.has(wanted.key) ? actions.keyTaken : undefined)
        if (refusal) return refusal
        const begun = newRow(by, projectId)
        const row = {
          ...wanted,
          ...of.begin(begun.id),
          ...begun,
          ...(hasNumber && { shortId: await takeShortIds(tx, projectId, counterOf(noun)) }),
          key: wanted.key ?? keyFor(wanted.name, of.word ?? noun.replaceAll('_', '-'), taken),
        } as unknown as Row
        return actions.create(on, row, () => of.insert(tx, row, by))
      })
      return actions.orTaken(work)
    },

    update(db, by, ifMatch, { orgId, projectId, id }, edit) {
      const work = inTransaction(db, async (tx) => {
        await of.lockFirst?.(tx, projectId, edit)
        const row = await queries.lock(tx, id)
        // Invalid content is refused before the precondition and the state are checked.
        const given = Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined))
        const refusal =
          row && (await refuses.content?.(tx, row.projectId, { ...content(row), ...given }, given as Edit<New>))
        if (refusal) return refusal
        return actions.edit({ tx, by, orgId }, row, {
          ifMatch,
          edit: edit as Edit<Content & { key: string }>,
          refuses: async (after) => refuses.edit?.(tx, row!, content({ ...row!, ...after })),
          save: (edited) => of.save(tx, edited, by),
        })
      })
      return actions.orTaken(work)
    },

    delete(db, by, ifMatch, { orgId, projectId, id }) {
      return inProject(db, by, { orgId, id: projectId }, async (on) => {
        const { tx } = on
        return actions.remove(on, await queries.lockLeaving(tx, id), {
          ifMatch,
          refuses: async (row) => refuses.delete?.(tx, row),
          remove: () => (of.remove ?? queries.remove)(tx, id),
        })
      })
    },
  }
}

const counterOf = <Noun extends PlainNoun>(noun: Noun) => noun.toUpperCase() as Uppercase<Noun>
