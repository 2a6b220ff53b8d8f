import { z } from 'zod'
import { isRefusal, type Refusal } from '../../../catalogue/refusals.ts'
import type { Cursors } from '../../../http/page.ts'
import { pageQuery } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import { showToCreator } from '../../people/accounts/index.ts'
import type { DataFileStore } from '../../serving/datafile/index.ts'
import { createProject, deleteProject, projectEtag, updateProject } from './actions.ts'
import { findProject, listProjects, type Project } from './queries.ts'
import { createProjectBody, projectParams, projectSchema, updateProjectBody } from './schema.ts'

interface Context {
  db: Db
  cursors: Cursors
  store: DataFileStore
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a flat list of routes
export function projectRoutes(route: Route, { db, cursors, store }: Context): void {
  const tag = 'Project'
  const url = '/api/v1/projects'

  route({
    method: 'GET',
    url,
    operationId: 'listProjects',
    summary: 'List projects',
    tag,
    scope: 'projects:read',
    query: pageQuery,
    data: projectSchema.array(),
    paged: true,
    async handle({ caller, query }) {
      const list = ['projects', caller.organization.id]
      const read = (after: string | null, limit: number) => listProjects(db, caller, after, limit)
      return cursors.list(query, list, read, (rows) => rows.map(present))
    },
  })

  route({
    method: 'POST',
    url,
    operationId: 'createProject',
    summary: 'Create a project',
    description:
      'The project starts with its built-in environments Production and Development. A `WEB` project has experiments on web pages and no flags.',
    tag,
    scope: 'projects:write',
    body: createProjectBody,
    data: projectSchema,
    refusals: ['already_exists'],
    etag: true,
    status: 201,
    async handle({ caller, by, body }) {
      const wanted = { orgId: caller.organization.id, ...body }
      const project = await inTransaction(db, async (tx) => {
        const created = await createProject(tx, by, wanted)
        if (!isRefusal(created) && caller.user && caller.projects) await showToCreator(tx, created, caller.user.id)
        return created
      })
      return answer(project)
    },
  })

  route({
    method: 'GET',
    url: `${url}/:projectId`,
    operationId: 'getProject',
    summary: 'Get a project',
    tag,
    scope: 'projects:read',
    params: projectParams,
    data: projectSchema,
    etag: true,
    find: ({ projectId }, caller) => findProject(db, caller.organization.id, projectId),
    handle: async ({ found }) => answer(found),
  })

  route({
    method: 'PATCH',
    url: `${url}/:projectId`,
    operationId: 'updateProject',
    summary: 'Update the name, the key or the sample of visitors',
    description: 'The key can change until the project has a flag or an experiment.',
    conditional: true,
    tag,
    scope: 'projects:write',
    params: projectParams,
    body: updateProjectBody,
    data: projectSchema,
    refusals: ['already_exists'],
    etag: true,
    find: ({ projectId }, caller) => findProject(db, caller.organization.id, projectId),
    async handle({ caller, found, by, body, ifMatch }) {
      const which = { orgId: caller.organization.id, projectId: found.id }
      const project = await updateProject(db, by, ifMatch, which, body)
      return answer(project)
    },
  })

  route({
    method: 'DELETE',
    url: `${url}/:projectId`,
    operationId: 'deleteProject',
    summary: 'Delete a project',
    description:
      'Deletes the project with everything in it. Pause all its flags in every environment first, or its web experiments. The SDK keys and webhooks of the project stop working at once. Its key can be used again.',
    conditional: true,
    confirmed: 'The key of the project. Required, because the deletion cannot be undone.',
    tag,
    scope: 'projects:write',
    params: projectParams,
    data: z.null(),
    find: ({ projectId }, caller) => findProject(db, caller.organization.id, projectId),
    async handle({ caller, found, by, ifMatch, confirmation }) {
      const which = { orgId: caller.organization.id, projectId: found.id }
      const result = await deleteProject(db, store, by, { ifMatch, confirmation }, which)
      return isRefusal(result) ? result : { data: null }
    },
  })
}

const answer = (project: Project | Refusal) =>
  isRefusal(project) ? project : { data: present(project), etag: projectEtag(project) }

const present = ({ version: _version, ...project }: Project) => ({
  ...project,
  createdAt: project.createdAt.toISOString(),
  updatedAt: project.updatedAt.toISOString(),
})
