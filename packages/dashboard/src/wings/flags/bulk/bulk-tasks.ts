import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { counted } from '../../../ui/words/lists.ts'
import { type Archive, archiveOf } from '../archiving/archive.ts'
import { stillUsedWords } from '../archiving/lately-evaluated.ts'
import type { IndexedEnvironment, IndexedFlag } from '../flags/flag-filter.ts'
import { pause, run } from '../switches/pause.ts'

/** What is done to selected flags, one by one. */
export interface Task {
  /** "Pause 12 flags in Production". */
  title: string
  /** What visitors notice. */
  consequence: string
  /** What a person should do first. */
  warning?: string | undefined
  verb: string
  /** "paused in Production": follows the number of flags. */
  done: string
  flags: readonly IndexedFlag[]
  act: (flag: IndexedFlag) => Promise<unknown>
  undo?: (flag: IndexedFlag) => Promise<unknown>
  /** What the button of `undo` says if it does not restore what was. */
  undoVerb?: string
}

export type Choice = { environment: IndexedEnvironment; isRun: boolean } | { tag: string } | 'archive'

interface Selected {
  projectId: string
  flags: readonly IndexedFlag[]
  environments: readonly IndexedEnvironment[]
  now: Date
}

export function taskOf(chosen: Choice, selected: Selected): Task {
  if (chosen === 'archive') return archiving(selected)
  return 'tag' in chosen ? tagging(selected, chosen.tag) : switching(selected, chosen.environment, chosen.isRun)
}

function switching(
  { projectId, flags, environments }: Selected,
  environment: IndexedEnvironment,
  isRun: boolean,
): Task {
  const place = environments.findIndex(({ id }) => id === environment.id)
  const concerned = flags.filter(
    ({ states, status }) => status !== 'ARCHIVED' && (states[place]?.running === true) !== isRun,
  )
  const many = counted(concerned.length, 'flag')
  const hasFirstRuns = isRun && concerned.some(({ states }) => states[place]?.firstRun)
  const placeOf = (flag: IndexedFlag) => ({ projectId, flagId: flag.key, envId: environment.id })
  /** What runs a flag again. */
  const paused = new Map<string, () => Promise<void>>()
  return {
    title: `${isRun ? 'Run' : 'Pause'} ${many} in ${environment.name}`,
    consequence: isRun
      ? `Their rules serve.${hasFirstRuns ? ' Flags that run there for the first time are published.' : ''}`
      : 'Every visitor gets their defaults. Their rules stop serving, and their schedules are suspended.',
    verb: `${isRun ? 'Run' : 'Pause'} ${many}`,
    done: `${isRun ? 'running' : 'paused'} in ${environment.name}`,
    flags: concerned,
    act: async (flag) => (isRun ? run(placeOf(flag)) : paused.set(flag.key, await pause(placeOf(flag)))),
    undo: async (flag) => (isRun ? pause(placeOf(flag)) : paused.get(flag.key)?.()),
    ...(hasFirstRuns && { undoVerb: 'Pause' }),
  }
}

function archiving({ projectId, flags, environments, now }: Selected): Task {
  const unarchived = flags.filter(({ status }) => status !== 'ARCHIVED')
  const running = unarchived.filter(({ states }) => states.some((state) => state?.running))
  const archives = new Map<string, Archive>()
  const archiveFor = (flag: IndexedFlag): Archive => {
    const envIds = environments.flatMap(({ id }, place) => (flag.states[place]?.running ? [id] : []))
    const archive = archives.get(flag.key) ?? archiveOf({ projectId, flagId: flag.key, envIds })
    archives.set(flag.key, archive)
    return archive
  }
  return {
    title: `Archive ${counted(unarchived.length, 'flag')}`,
    consequence: `${pausedWords(running.length, unarchived.length)}Code that still asks for an archived flag gets the default in the code. Archived flags can be restored.`,
    warning: stillUsedWords(unarchived, now),
    verb: `Archive ${counted(unarchived.length, 'flag')}`,
    done: 'archived',
    flags: unarchived,
    act: (flag) => archiveFor(flag).act(),
    undo: (flag) => archiveFor(flag).undo(),
  }
}

/** What happens to flags that run: "2 of them run, and are paused first. " */
function pausedWords(running: number, all: number): string {
  if (running === 0) return ''
  if (all === 1) return 'The flag runs, and is paused first. '
  return running === 1 ? '1 of them runs, and is paused first. ' : `${running} of them run, and are paused first. `
}

function tagging({ projectId, flags }: Selected, tag: string): Task {
  const untagged = flags.filter(({ tags }) => !tags.includes(tag))
  const many = counted(untagged.length, 'flag')
  const withTags = (flag: IndexedFlag, tags: string[]) =>
    api.PATCH('/api/v1/projects/{projectId}/flags/{flagId}', {
      params: { path: { projectId, flagId: flag.key }, header: onlyOnce() },
      body: { tags },
    })
  return {
    title: `Add the tag ${tag} to ${many}`,
    consequence: 'Nothing changes for visitors.',
    verb: `Add tag to ${many}`,
    done: `tagged ${tag}`,
    flags: untagged,
    act: (flag) => withTags(flag, [...flag.tags, tag]),
    undo: (flag) => withTags(flag, flag.tags),
  }
}
