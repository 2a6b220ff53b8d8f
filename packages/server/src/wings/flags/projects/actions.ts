import { notFound, type Refusal } from '../../../catalogue/refusals.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import type { Author } from '../../../platform/outbox.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import { addBuiltInEnvironments } from './environments/actions.ts'
import { insertProject, lockProject, type Project, renameProject } from './queries.ts'

export async function createProject(
  tx: Tx,
  by: Author,
  { orgId, name }: { orgId: string; name: string },
): Promise<Project> {
  const project = await insertProject(tx, { id: newId(), orgId, name, now: by.now })
  await addBuiltInEnvironments(tx, project.id, by.now)
  await by.record(tx, {
    orgId,
    projectId: project.id,
    action: 'project.create',
    object: { type: 'project', id: project.id, name },
    after: project,
    events: [{ name: 'project.created', payload: {} }],
  })
  return project
}

export async function updateProject(
  db: Db,
  by: Author,
  { orgId, projectId, name }: { orgId: string; projectId: string; name: string | undefined },
): Promise<Project | Refusal> {
  return inTransaction(db, async (tx) => {
    const project = await lockProject(tx, orgId, projectId)
    if (!project) return notFound('Project')
    if (name === undefined || name === project.name) return project
    const renamed = { ...project, name, updatedAt: by.now }
    await renameProject(tx, projectId, name, by.now)
    await by.record(tx, {
      orgId,
      projectId,
      action: 'project.update',
      object: { type: 'project', id: projectId, name },
      before: { name: project.name },
      after: { name },
      events: [{ name: 'project.updated', payload: { previousName: project.name } }],
    })
    return renamed
  })
}
