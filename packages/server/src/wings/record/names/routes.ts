import { nounsReadableBy } from '../../../catalogue/nouns.ts'
import { holdsScope } from '../../../catalogue/scopes.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { findAudited, findNamed } from './queries.ts'
import { maxIds, nameSchema, namesBody } from './schema.ts'

export function namesRoute(route: Route, { db }: { db: Db }): void {
  route({
    method: 'POST',
    url: '/api/v1/names',
    operationId: 'findNames',
    summary: 'Find the names of ids',
    description: `Returns the names of up to ${maxIds} ids and where they are, in the order of the request. Deleted objects have the last name in the audit log. An id that does not exist, or that the token cannot read, has \`visible: false\`. Nothing is changed.`,
    tag: 'Names',
    scope: null,
    idempotent: false,
    body: namesBody,
    data: nameSchema.array(),
    async handle({ caller, body: { ids } }) {
      const asked = {
        orgId: caller.organization.id,
        projects: caller.projects && [...caller.projects],
        kinds: nounsReadableBy((scope) => holdsScope(caller.scopes, scope)),
      }
      const found = new Map((await findNamed(db, { ...asked, ids })).map((named) => [named.id, named]))
      const missing = ids.filter((id) => !found.has(id))
      const deleted = missing.length > 0 ? await findAudited(db, { ...asked, ids: missing }) : []
      const gone = new Map(deleted.map((named) => [named.id, named]))
      const data = ids.map((id) => {
        const named = found.get(id) ?? gone.get(id)
        return named ? { ...named, visible: true as const, deleted: !found.has(id) } : { id, visible: false as const }
      })
      return { data }
    },
  })
}
