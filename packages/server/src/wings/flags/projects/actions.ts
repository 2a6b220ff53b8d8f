import { notFound, type Refusal, refuse } from '../../../catalogue/refusals.ts'
import { type IfMatch, versionEtag } from '../../../http/etag.ts'
import { constraintOf, type Db, type Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import type { Author } from '../../../platform/outbox.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import { numberProject } from '../../people/organizations/index.ts'
import { addBuiltInEnvironments } from './environments/actions.ts'
import { keyFor } from './key.ts'
import { hasFlags, insertProject, lockProject, type Project, projectKeys, saveProject } from './queries.ts'

export const projectEtag = ({ version }: Project): string => versionEtag('p', version)

export async function createProject(
  tx: Tx,
  by: Author,
  { orgId, name, key }: { orgId: string; name: string; key?: string | undefined },
): Promise<Project | Refusal> {
  const shortId = await numberProject(tx, orgId)
  const taken = await projectKeys(tx, orgId)
  if (key !== undefined && taken.has(key)) return keyTaken(key)
  const project: Project = {
    id: newId(),
    shortId,
    orgId,
    key: key ?? keyFor(name, 'project', taken),
    name,
    type: 'FEATURE_FLAG',
    version: 1,
    createdAt: by.now,
    updatedAt: by.now,
  }
  await insertProject(tx, project)
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

const keyTaken = (key: string): Refusal => {
  const message = `The key ${key} is taken in this organization.`
  return refuse('already_exists', message, { issues: [{ path: ['key'], message }] })
}

interface ProjectEdit {
  name?: string | undefined
  key?: string | undefined
}

export function updateProject(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  { orgId, projectId }: { orgId: string; projectId: string },
  edit: ProjectEdit,
): Promise<Project | Refusal> {
  const work = inTransaction(db, async (tx) => {
    const project = await lockProject(tx, orgId, projectId)
    if (!project) return notFound('Project')
    const failed = ifMatch(projectEtag(project))
    if (failed) return failed
    const { name = project.name, key = project.key } = edit
    if (name === project.name && key === project.key) return project
    if (key !== project.key && (await hasFlags(tx, projectId)))
      return refuse('invalid_state', 'The project has flags: its key can no longer change.', { current: project.key })
    const edited = { ...project, name, key, version: project.version + 1, updatedAt: by.now }
    await saveProject(tx, edited)
    await by.record(tx, {
      orgId,
      projectId,
      action: 'project.update',
      object: { type: 'project', id: projectId, name },
      before: { name: project.name, key: project.key },
      after: { name, key },
      events: [{ name: 'project.updated', payload: { previousName: project.name } }],
    })
    return edited
  })
  return work.catch((error) => {
    if (constraintOf(error) === 'projects_key_key' && edit.key) return keyTaken(edit.key)
    throw error
  })
}
