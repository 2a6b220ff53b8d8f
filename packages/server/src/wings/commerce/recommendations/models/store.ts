import { eachApart } from '../../../../platform/apart.ts'
import type { LiveModel, LiveModels } from './live.ts'

/** A model that serves, with the run that this node holds of it. */
export interface HeldModel {
  runId: string
  /** One entry for each kind of model that the strategy answers from. */
  models: readonly LiveModel[]
}

/** The models of this node. `refresh` reads those of a project again, if it holds them. */
export interface ModelStore extends LiveModels {
  refresh(projectId: string): Promise<void>
  /** The same for all projects that it holds. */
  refreshAll(): Promise<void>
}

/**
 * Holds the models of the projects that somebody has asked for.
 *
 * @param load reads those that serve. It takes from `held` what has not changed
 */
export function modelStore(
  load: (projectId: string, held: ReadonlyMap<string, HeldModel>) => Promise<readonly HeldModel[]>,
): ModelStore {
  const live = new Map<string, { held: ReadonlyMap<string, HeldModel>; models: readonly LiveModel[] }>()
  const underWay = new Map<string, Promise<void>>()
  const none: readonly LiveModel[] = []

  async function read(projectId: string): Promise<void> {
    const loaded = await load(projectId, live.get(projectId)?.held ?? new Map())
    live.set(projectId, {
      held: new Map(loaded.map((model) => [model.runId, model])),
      models: loaded.flatMap(({ models }) => models),
    })
  }

  /** One at a time for each project. What a notice is about can have come after the one under way had begun. */
  function readAfter(projectId: string): Promise<void> {
    const before = underWay.get(projectId)
    const reading = (before ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => read(projectId))
      .finally(() => {
        if (underWay.get(projectId) === reading) underWay.delete(projectId)
      })
    underWay.set(projectId, reading)
    return reading
  }

  const refresh = async (projectId: string): Promise<void> => {
    if (live.has(projectId) || underWay.has(projectId)) await readAfter(projectId)
  }
  return {
    of: (projectId) => live.get(projectId)?.models ?? none,
    ready: async (projectId) => {
      if (!live.has(projectId)) await (underWay.get(projectId) ?? readAfter(projectId))
    },
    refresh,
    async refreshAll() {
      await eachApart([...live.keys()], refresh)
    },
  }
}
