import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { useNewForm } from '../../../shell/edit-form.tsx'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { wasOvertaken } from '../../../ui/form/overtaken.ts'
import { announce } from '../../../ui/notice/announce.tsx'
import { including } from '../../../ui/words/lists.ts'
import { onlyIf, refresh } from '../../../versioned.ts'
import { discard as discardChanges } from '../flags/discard.ts'
import { refreshFlag } from '../flags/flag-queries.ts'
import { inTurns } from '../switches/in-turns.ts'
import { type Published, publishedSentence, type Runnable } from './published.ts'
import { countOf, freshPaths, movesOf, type Staged, seenIn } from './staged.ts'
import { stagedPath, stagedQuery } from './staged-query.ts'

const runPath = '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/run'
const discardPath = `${stagedPath}/discard` as const

/** Reads again what shows staged changes or what is live. */
export function useReadAgain(): () => Promise<unknown> {
  const client = useQueryClient()
  return () =>
    Promise.all([
      refreshFlag(client),
      refresh(
        client,
        stagedPath,
        '/api/v1/projects/{projectId}/environments',
        '/api/v1/projects/{projectId}/environments/{envId}/revisions',
        '/api/v1/projects/{projectId}/audiences',
        '/api/v1/projects/{projectId}/audiences/{audienceId}',
        '/api/v1/projects/{projectId}/experiments',
        '/api/v1/projects/{projectId}/experiments/{experimentId}',
      ),
    ])
}

/** Which of the flags are published. The audiences go only together with all of them. `wanted` are keys: "a,b". */
export function useChosen(staged: Staged, wanted: string | undefined) {
  const [left, setLeft] = useState<ReadonlySet<string>>(() => {
    const keys = wanted?.split(',')
    return new Set(staged.flags.filter(({ key }) => keys && !keys.includes(key)).map(({ flagId }) => flagId))
  })
  const flags = staged.flags.filter(({ flagId }) => !left.has(flagId))
  const isWhole = flags.length === staged.flags.length
  const audiences = isWhole ? staged.audiences : []
  const experiments = isWhole ? staged.experiments : []
  return {
    flags,
    audiences,
    experiments,
    /** What the API takes: null for everything. */
    flagIds: isWhole ? null : flags.map(({ flagId }) => flagId),
    changes: countOf(flags) + countOf(experiments) + countOf(audiences),
    has: (flagId: string) => !left.has(flagId),
    choose: (flagId: string, isChosen: boolean) => setLeft(including(left, flagId, !isChosen)),
  }
}

export type Chosen = ReturnType<typeof useChosen>

/** Changes that came after the page was opened are marked, and stop a publish until the person has read of them. */
export function useNews(staged: Staged, chosen: Chosen, etag: string) {
  const seen = useRef(seenIn(staged))
  // The version of the list whose change the person has read.
  const [told, setTold] = useState<string>()
  const isFresh = freshPaths(chosen, seen.current).size > 0
  return {
    fresh: freshPaths(staged, seen.current),
    /** What is chosen has news that the person has not read of. */
    isUntold: isFresh && told !== etag,
    isTold: isFresh && told === etag,
    tell: (version: string | undefined = etag) => setTold(version),
  }
}

/** Whether the person has agreed that counted visitors get another variation. Other weights are a new question. */
export function useMoves(staged: Staged, chosen: Chosen) {
  const [agreed, setAgreed] = useState<string>()
  const [isAsked, setIsAsked] = useState(false)
  const question = useRef<HTMLInputElement>(null)
  const { warnings, subject } = movesOf(chosen.flags, staged.warnings)
  const isAgreed = warnings.length === 0 || agreed === subject
  return {
    warnings,
    isAgreed,
    isMissed: isAsked && !isAgreed,
    question,
    agree: (isYes: boolean) => setAgreed(isYes ? subject : undefined),
    /** Leads to the question if it is open. True if it is answered. */
    ask: () => {
      setIsAsked(!isAgreed)
      if (!isAgreed) question.current?.focus()
      return isAgreed
    },
  }
}

/** Publishes what is chosen, and then runs flags that are paused. The comment is kept until it is sent. */
export function usePublish(environment: Environment, chosen: Chosen, etag: string, news: ReturnType<typeof useNews>) {
  const { project } = usePlace()
  const client = useQueryClient()
  const readAgain = useReadAgain()
  const run = useRun(environment)
  const path = { projectId: project.id, envId: environment.id }
  const [published, setPublished] = useState<Published>()
  /** Runs these flags, and reads what is staged again. Returns those that run now. */
  const ranOf = async (flags: readonly Runnable[]): Promise<readonly Runnable[]> => {
    if (flags.length === 0) {
      await readAgain()
      return []
    }
    try {
      await run.mutateAsync(flags)
      return flags
    } catch {
      return []
    }
  }
  const form = useNewForm<{ comment: string }, Published, readonly Runnable[]>({
    object: `publish:${environment.id}`,
    initial: { comment: '' },
    send: async ({ comment }) => {
      try {
        const { data } = await api.POST('/api/v1/projects/{projectId}/environments/{envId}/publish', {
          params: { path, header: { ...onlyOnce(), ...onlyIf(etag) } },
          body: { flagIds: chosen.flagIds, comment: comment.trim() || null },
        })
        const { revision, previousRevision } = data!.data
        return { revision, isQuiet: revision === previousRevision, flags: chosen.flags, ran: [] }
      } catch (error) {
        await readAgain()
        news.tell(client.getQueryData(stagedQuery(project.id, environment.id).queryKey)?.etag)
        throw error
      }
    },
    done: async (answer, _values, toRun = []) => {
      form.reset({ comment: '' })
      // One message says what visitors get in the end. Why a flag does not run is on the page.
      const all = { ...answer, ran: await ranOf(toRun) }
      setPublished(all)
      announce(`Published to ${environment.name}. ${publishedSentence(all, environment.name)}`)
    },
  })
  return { form, run, published, isOvertaken: news.isTold || wasOvertaken(form.failure) }
}

function useRun(environment: Environment) {
  const { project } = usePlace()
  const readAgain = useReadAgain()
  return useMutation({
    mutationFn: async (flags: readonly Runnable[]) => {
      const path = { projectId: project.id, envId: environment.id }
      const { failed } = await inTurns(flags, ({ key }) =>
        api.POST(runPath, { params: { path: { ...path, flagId: key }, header: onlyOnce() } }),
      )
      await readAgain()
      if (failed[0]) throw failed[0].error
    },
  })
}

/** Takes changes back in the draft. */
export function useDiscard(environment: Environment) {
  const { project } = usePlace()
  const client = useQueryClient()
  const readAgain = useReadAgain()
  return useMutation({
    mutationFn: async ({ paths, ...what }: ({ flagId: string } | { experimentId: string }) & { paths: string[] }) => {
      const path = { projectId: project.id, envId: environment.id }
      if ('flagId' in what) return discardChanges(client, { ...path, ...what }, paths)
      await api.POST(discardPath, { params: { path }, body: { ...what, paths } })
      return undefined
    },
    onSuccess: async (putBack) => {
      await readAgain()
      const undo = putBack && { undo: () => putBack().finally(readAgain) }
      announce('Undone. Nothing changes for visitors.', undo)
    },
  })
}
