import { isRefusal, type Refusal, refuseUnknown } from '../../../catalogue/refusals.ts'
import type { InOrganization } from '../../../http/credentials.ts'
import { type Cursors, pageQuery } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import {
  environmentParams,
  environmentQueries,
  experimentsToo,
  findTypedEnvironment,
  unknownFlags,
} from '../projects/index.ts'
import { asExperiment, restoreRevision, showRevision } from './actions.ts'
import { flagChanges, switchOf } from './changes.ts'
import { flagsChangedInEach, listRevisions, type RevisionRow } from './queries.ts'
import {
  listQuery,
  maxListedFlags,
  maxToldFlags,
  restoreBody,
  restoreSchema,
  revisionChangesSchema,
  revisionParams,
  revisionQuery,
  revisionSchema,
} from './schema.ts'
import { placeIn } from './step.ts'

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a flat list of routes
export function revisionRoutes(route: Route, { db, cursors }: { db: Db; cursors: Cursors }): void {
  const url = '/api/v1/projects/:projectId/environments/:envId/revisions'
  const one = {
    tag: 'Environment',
    find: ({ projectId, envId }: { projectId: string; envId: string }, caller: InOrganization) =>
      environmentQueries.find(db, caller.organization.id, projectId, envId),
  }

  route({
    ...one,
    method: 'GET',
    url,
    operationId: 'listRevisions',
    summary: 'List the revisions of the data file',
    description:
      'Lists revisions, newest first, with their author, their reason and the flags that they changed. A publish that does not change the data file has a row too, as a `step` after the revision. With `flagId`, it lists only revisions that changed this flag, and with `by` those of a person or a token.',
    scope: 'projects:read',
    params: environmentParams,
    query: { ...pageQuery, ...listQuery },
    data: revisionSchema.array(),
    paged: true,
    async handle({ caller, found, query }) {
      const { flagId, by, include } = query
      const refusal = await refusesFlag(db, found.projectId, flagId)
      if (refusal) return refusal
      const list = ['revisions', caller.organization.id, found.id, flagId ?? null, by ?? null]
      const read = (after: string | null, limit: number) =>
        listRevisions(db, {
          envId: found.id,
          flagId,
          by,
          before: after === null ? null : beforeOf(after),
          limit,
          maxFlags: maxListedFlags,
        })
      return cursors.list(query, list, read, async (rows) => {
        const told = include ? await toldChanges(db, { envId: found.id, places: rows, flagId }) : undefined
        return rows.map((row) => presentRevision(row, told))
      })
    },
  })

  route({
    ...one,
    method: 'GET',
    url: `${url}/:revision`,
    operationId: 'getRevision',
    summary: 'Get a revision with what it changed',
    description:
      'Shows what the revision, or the step after it (`41.1`), changed in each flag and audience, as differences from the state before, in the form of the list of staged changes. Switches are the paths `enabled` and `rules.{ruleId}.enabled`.',
    scope: 'flags:read',
    params: revisionParams,
    query: revisionQuery,
    data: revisionChangesSchema,
    async handle({ found, params: { revision: place }, query }) {
      const { flagId } = query
      const refusal = await refusesFlag(db, found.projectId, flagId)
      if (refusal) return refusal
      const shown = await showRevision(db, { envId: found.id, place, flagId })
      if (isRefusal(shown)) return shown
      const { row, ...rest } = shown
      return { data: { ...presentRevision(row), ...rest } }
    },
  })

  route({
    ...one,
    method: 'POST',
    url: `${url}/:revision/restore`,
    operationId: 'restoreRevision',
    summary: 'Stage the state of an earlier revision',
    description:
      'The default variations, overrides and rules of every flag that still exists become drafts; publish them to serve them. Switches do not change. The restored state is the one at the end of the revision; `41.0` and `41.1` name a step of it. With `flagIds`, only these flags are restored, and other drafts stay as they are. `X-Svc-If-Match` takes the ETag of the list of staged changes: the restore is refused if other changes have been staged since.',
    scope: 'flags:write',
    alsoNeeds: experimentsToo,
    find: ({ projectId, envId }, caller) => findTypedEnvironment(db, caller.organization.id, projectId, envId),
    params: revisionParams,
    body: restoreBody,
    data: restoreSchema,
    conditional: true,
    async handle({ caller, found, by, params: { revision: place }, body, ifMatch }) {
      const { flagIds = null, dryRun = false } = body ?? {}
      const which = { orgId: caller.organization.id, projectId: found.projectId, envId: found.id, place, flagIds }
      const result = await restoreRevision(db, by, ifMatch, which, dryRun)
      if (isRefusal(result)) return result
      const changed = !dryRun && result.flags.length + result.experiments.length > 0
      return { data: { envId: found.id, ...place, changed, ...result } }
    },
  })
}

async function refusesFlag(db: Db, projectId: string, flagId: string | undefined): Promise<Refusal | undefined> {
  const unknown = flagId === undefined ? [] : await unknownFlags(db, projectId, [flagId])
  return unknown.length > 0 ? refuseUnknown('flagId', 'This project has no flag', unknown) : undefined
}

/** The row of a cursor. One from before rows had steps has the revision alone. */
function beforeOf(id: string): { revision: number; step: number } {
  const { revision, step } = placeIn(id)!
  return { revision, step: step ?? 0 }
}

type Told = (row: Pick<RevisionRow, 'revision' | 'step'>, flagId: string) => ReturnType<typeof flagChanges> | undefined

/** What the first flags of each revision have changed. */
async function toldChanges(
  db: Db,
  { places, ...which }: { envId: string; places: readonly RevisionRow[]; flagId: string | undefined },
): Promise<Told> {
  const changed = await flagsChangedInEach(db, {
    ...which,
    places: places.map(({ revision, step }) => ({ revision, step })),
    maxFlags: maxToldFlags,
  })
  const place = ({ revision, step }: Pick<RevisionRow, 'revision' | 'step'>, id: string) => `${revision}.${step} ${id}`
  const byPlace = new Map(
    changed.map(({ id, before, key, fragment, live, ...row }) => [
      place(row, id),
      flagChanges(before, { key, fragment, live }),
    ]),
  )
  return (row, flagId) => byPlace.get(place(row, flagId))
}

function presentRevision({ id: _id, publisher, publishedAt, moved, ...row }: RevisionRow, told?: Told) {
  const { flags, flagCount, projectType, ...rest } = row
  const isWeb = projectType === 'WEB'
  return {
    ...rest,
    switched: switchedBy(row, moved),
    publishedAt: publishedAt?.toISOString() ?? null,
    publishedBy: publisher,
    flagCount: isWeb ? 0 : flagCount,
    flags: isWeb
      ? []
      : flags.map(({ experimentId: _none, ...flag }) => {
          const changes = told?.(row, flag.id)
          return { ...flag, ...(changes && { changes }) }
        }),
    experiments: isWeb ? flags.map(asExperiment) : [],
  }
}

/** What a switch did. One that leaves the file as it is has made a rule live, by running it while its flag is paused. */
function switchedBy(
  { reason, step, projectType }: Pick<RevisionRow, 'reason' | 'step' | 'projectType'>,
  moved: RevisionRow['moved'],
) {
  // A hidden flag is in the file only while its experiment is served.
  if (projectType === 'WEB')
    return moved && ({ what: 'EXPERIMENT', to: moved.after === null ? 'PAUSE' : 'RUN' } as const)
  if (reason === 'SWITCHED' && step > 0) return { what: 'RULE', to: 'RUN' } as const
  return moved && switchOf(moved.before, moved.after)
}
