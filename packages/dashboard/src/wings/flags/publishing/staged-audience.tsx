import { Paper, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import type { Environment } from '../../../shell/place.ts'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { useSubject } from '../../../shell/subject.tsx'
import { ChangeList } from '../../../ui/changes/change-list.tsx'
import type { ChangeNames } from '../../../ui/changes/change-words.ts'
import { announce } from '../../../ui/notice/announce.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { allOf } from '../../../ui/words/lists.ts'
import { onlyIf } from '../../../versioned.ts'
import { onePath, readAudience } from '../audiences/audience.ts'
import { useUnpublishedIn } from '../audiences/unpublished-in.ts'
import classes from './review-page.module.css'
import type { Staged } from './staged.ts'

interface StagedAudienceProps {
  environment: Environment
  audience: Staged['audiences'][number]
  names: ChangeNames
  fresh: ReadonlySet<string>
  readAgain: () => Promise<unknown>
}

/** What the next publish changes in an audience. The audience is edited for all environments, and so is an Undo. */
export function StagedAudience({ environment, audience, names, fresh, readAgain }: StagedAudienceProps) {
  const { audienceId, name, changes } = audience
  const { project } = usePlace()
  const mayEdit = useMay('audiences:write')
  const others = useUnpublishedIn()(audienceId).filter(({ id }) => id !== environment.id)
  const set = async (from: unknown, to: unknown) => {
    const { content, etag } = await readAudience(project.id, audienceId)
    const isAsShown = JSON.stringify(content.conditions) === JSON.stringify(from)
    if (isAsShown)
      await api.PATCH(onePath, {
        params: { path: { projectId: project.id, audienceId }, header: onlyIf(etag) },
        body: { conditions: to as never },
      })
    await readAgain()
    if (!isAsShown) announce(`${name} has changed meanwhile. Look at it again.`)
    return isAsShown
  }
  const undo = useMutation({
    mutationFn: async ({ from, to }: { from?: unknown; to?: unknown }) => {
      if (await set(to, from)) announce('Undone. Nothing changes for visitors.', { undo: () => void set(from, to) })
    },
  })
  const { many } = useSubject()
  return (
    <Paper component="section" withBorder p="md" radius="md" aria-label={`Audience ${name}`}>
      <div className={classes.head}>
        <Text fw={600}>Audience {name}</Text>
        <Text size="sm" c="dimmed">
          Only together with all {many}
        </Text>
      </div>
      <FailureNotice error={undo.error} title="Not undone" />
      <ChangeList
        label={`Changes of ${name}`}
        changes={changes}
        names={names}
        fresh={new Set(changes.map(({ path }) => path).filter((path) => fresh.has(`${audienceId} ${path}`)))}
        {...(mayEdit && {
          onUndo: (change) => undo.mutate(change),
          undoNote: () => (others.length === 0 ? undefined : `also in ${allOf(others.map((each) => each.name))}`),
        })}
      />
    </Paper>
  )
}
