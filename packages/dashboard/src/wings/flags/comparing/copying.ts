import type { QueryClient } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { counted } from '../../../ui/words/lists.ts'
import type { Task } from '../bulk/bulk-tasks.ts'
import { readDraft, stage } from '../drafts/stage.ts'
import type { IndexedFlag } from '../flags/flag-filter.ts'
import { withAllRules } from './comparison.ts'

const environmentPath = '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}'
const rulesMax = 100

interface Copying {
  client: QueryClient
  projectId: string
  from: { id: string; name: string }
  to: { id: string; name: string }
}

/** What visitors of one environment get from these flags becomes the draft of another one. */
export function copyingTask(copying: Copying, flags: readonly IndexedFlag[]): Task {
  const { from, to } = copying
  const many = counted(flags.length, 'flag')
  const undos = new Map<string, () => Promise<void>>()
  return {
    title: `Copy ${many} from ${from.name} to ${to.name}`,
    consequence: `Their rules and what everyone else gets become drafts in ${to.name}. Rules that only ${to.name} has stay, and so do switches and individual visitors. Visitors get it with the next publish.`,
    verb: `Copy ${many}`,
    done: `copied to ${to.name}. Visitors get this with the next publish`,
    flags,
    act: async ({ key }) => undos.set(key, await copyFlag(copying, key)),
    undo: async ({ key }) => undos.get(key)?.(),
  }
}

async function copyFlag({ client, projectId, from, to }: Copying, flagId: string): Promise<() => Promise<void>> {
  const path = { projectId, flagId, envId: from.id }
  const [source, rules, { draft }] = await Promise.all([
    api.GET(environmentPath, { params: { path } }),
    api.GET(`${environmentPath}/rules`, { params: { path, query: { limit: rulesMax } } }),
    readDraft({ projectId, flagId, envId: to.id }),
  ])
  const { defaultVariationKey, overrides, rules: live } = source.data!.data.live
  const paused = new Set(rules.data!.data.filter(({ enabled }) => !enabled).map(({ id }) => id))
  const wanted = withAllRules({ defaultVariationKey, overrides, rules: live }, { ...draft, defaultVariationKey })
  return stage(client, { projectId, flagId, envId: to.id }, draft, wanted, { paused })
}
