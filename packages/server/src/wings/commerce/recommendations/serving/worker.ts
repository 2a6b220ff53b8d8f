import { eachApart } from '../../../../platform/apart.ts'
import type { Background } from '../../../../platform/background.ts'
import type { Database } from '../../../../platform/db/index.ts'
import { deletedProjectChannel } from '../../../flags/projects/index.ts'
import { catalogChannel } from '../../../model/catalog/index.ts'
import { placementChannel, projectsWithPlacements } from '../placements/index.ts'
import type { Shelves } from './store.ts'

/** Keeps the shelves of this node up to date with the commits of all nodes. */
export async function keepShelves(
  database: Database,
  shelves: Shelves,
  background: Pick<Background, 'run'>,
): Promise<void> {
  const refreshHeld = () => eachApart(shelves.heldProjects(), shelves.refresh)
  await database.listen(
    catalogChannel,
    (notice) => {
      const [projectId = ''] = notice.split(' ')
      return shelves.isHeld(projectId) ? shelves.refresh(projectId) : undefined
    },
    refreshHeld,
  )
  await database.listen(placementChannel, (projectId) => shelves.refresh(projectId), refreshHeld)
  await database.listen(
    deletedProjectChannel,
    (projectId) => (shelves.isHeld(projectId) ? shelves.refresh(projectId) : undefined),
    refreshHeld,
  )
  // One at a time. A request does not wait for those before its own project.
  background.run(async () => {
    await eachApart(await projectsWithPlacements(database.db), async (projectId) => {
      if (!shelves.isHeld(projectId)) await shelves.refresh(projectId)
    })
  })
}
