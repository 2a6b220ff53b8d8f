import type { z } from 'zod'
import { nouns } from '../../../../catalogue/nouns.ts'
import type { Refusal } from '../../../../catalogue/refusals.ts'
import type { Scope } from '../../../../catalogue/scopes.ts'
import type { Caller } from '../../../../http/credentials.ts'
import type { Cursors } from '../../../../http/page.ts'
import type { Route } from '../../../../http/route.ts'
import { nounRoutes, type OneOf } from '../../../../nouns/index.ts'
import type { Db } from '../../../../platform/db/index.ts'
import { findProject } from '../queries.ts'
import type { Edit, NamedRow, ProjectNounActions } from './actions.ts'

interface Described<Row, Content, New, Data extends z.ZodType> {
  writtenBy: Scope
  data: Data
  present: (rows: Row[], caller: Caller) => z.input<Data>[] | Promise<z.input<Data>[]>
  create: { text: string; body: z.ZodType<New>; prepare?: (call: { body: New }) => Promise<Refusal | undefined> }
  update: {
    summary?: string
    text?: string
    body: z.ZodType<Edit<Content>>
    stages?: true
    prepare?: (call: { body: Edit<Content>; found: Row }) => Promise<Refusal | undefined>
  }
  texts?: { list?: string; get?: string; delete?: string }
  /** What a deletion can be asked besides. */
  removal?: Readonly<Record<string, z.ZodType>>
}

/** The five routes of a noun with the actions of `projectNoun`. Names and addresses follow from its row. */
export function projectNounRoutes<Row extends NamedRow, Content, New, Data extends z.ZodType>(
  route: Route,
  { db, cursors }: { db: Db; cursors: Cursors },
  of: ProjectNounActions<Row, Content, New>,
  { writtenBy, create, update, ...more }: Described<Row, Content, New, Data>,
): { url: string; one: OneOf<Row> } {
  const { label, readBy, address } = nouns[of.noun]
  const { param, path } = address
  return nounRoutes(route, {
    ...more,
    name: label.replaceAll(/ (\w)/g, (_all, letter: string) => letter.toUpperCase()),
    one: `${/^[aeiou]/i.test(label) ? 'an' : 'a'} ${label.toLowerCase()}`,
    id: param,
    many: path,
    scopes: { read: readBy, write: writtenBy },
    db,
    cursors,
    findProject,
    queries: of.queries,
    etag: of.etag,
    create: { ...create, act: ({ found: project, by, body }) => of.create(db, by, project, body) },
    update: {
      ...update,
      act: ({ caller, found, by, body, ifMatch }) =>
        of.update(db, by, ifMatch, { orgId: caller.organization.id, projectId: found.projectId, id: found.id }, body),
    },
    remove: ({ caller, found: { id, projectId }, by, ifMatch, query }) =>
      of.delete(db, by, ifMatch, { orgId: caller.organization.id, projectId, id }, query),
  })
}
