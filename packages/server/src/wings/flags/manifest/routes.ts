import { refuse } from '../../../catalogue/refusals.ts'
import { contentEtag } from '../../../http/etag.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { findProject, listProjects, projectParams } from '../projects/index.ts'
import { manifestFlag } from './manifest.ts'
import { flagsOfManifest } from './queries.ts'
import { manifestSchema } from './schema.ts'

const path = '/openfeature/v0/manifest'
/** Of a project that the prefix names, or as a whole if there is only one. */
const prefix = '/api/v1/projects'

/** Serves the flags of a project to the command line of OpenFeature, which makes typed code of them. */
export function manifestRoutes(route: Route, { db }: { db: Db }): void {
  const common = {
    method: 'GET',
    tag: 'Flag',
    scope: 'flags:read',
    data: manifestSchema,
    revalidates: true,
    protocol: { headers: { 'X-Manifest-Capabilities': 'read' } },
  } as const

  async function answer(projectId: string) {
    const data = { flags: (await flagsOfManifest(db, projectId)).map(manifestFlag) }
    return { data, etag: contentEtag(data) }
  }

  route({
    ...common,
    url: path,
    operationId: 'getManifest',
    summary: 'Get the manifest of the only project',
    description:
      'Returns the flags of the project in the form of the OpenFeature command line, for a credential that sees exactly one project. With any other credential, use the address of a project as the prefix: `openfeature pull --provider-url https://flags.example.com/api/v1/projects/shop`.',
    async handle({ caller }) {
      const [project, other] = await listProjects(db, caller, null, 2)
      if (project && !other) return answer(project.id)
      const message = project
        ? `This credential sees several projects. Name one: ${prefix}/${project.key}${path}.`
        : `This credential sees no project. The manifest of a project is at ${prefix}/{key}${path}.`
      return refuse('validation_failed', message)
    },
  })

  route({
    ...common,
    url: `${prefix}/:projectId${path}`,
    operationId: 'getProjectManifest',
    summary: 'Get the manifest of a project',
    description:
      'Returns the flags of the project in the form of the OpenFeature command line. `openfeature pull` calls it with the address of the project as its `--provider-url`.',
    params: projectParams,
    find: ({ projectId }, caller) => findProject(db, caller.organization.id, projectId),
    handle: ({ found: { id } }) => answer(id),
  })
}
