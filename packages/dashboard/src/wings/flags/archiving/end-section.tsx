import { Anchor, Button, Group, List, Stack, Text } from '@mantine/core'
import { ApiError } from '@svc/client'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { useIsDeleted } from '../../../shell/deleted.tsx'
import { usePlace } from '../../../shell/place.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { DangerDialog } from '../../../ui/dialog/danger-dialog.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { Time, useNow } from '../../../ui/time/time.tsx'
import { allOf, counted } from '../../../ui/words/lists.ts'
import { refresh } from '../../../versioned.ts'
import { type Flag, refreshFlag } from '../flags/flag-queries.ts'
import { archiveOf } from './archive.ts'
import { latelyDays, latelyIn } from './lately-evaluated.ts'

const flagPath = '/api/v1/projects/{projectId}/flags/{flagId}'
const isPaused = 'It is paused in every environment.'

/** A flag that another person has deleted cannot be archived or deleted again. */
export const End = ({ flag }: { flag: Flag }) => !useIsDeleted() && <EndSection flag={flag} />

function EndSection({ flag }: { flag: Flag }) {
  const [isDeleting, setIsDeleting] = useState(false)
  const [isAsking, setIsAsking] = useState(false)
  const { archive, archiveNow, restore, failure, isPending } = useArchiving(flag)
  const isUsed = latelyIn(flag.environments, useNow()).length > 0
  const isArchived = flag.status === 'ARCHIVED'
  const mayDelete = isArchived || flag.status === 'DRAFT'
  const asksFirst = isUsed || runningIn(flag).length > 0
  return (
    <Section
      title="Archive and delete"
      description="An archived flag is removed from every data file and can be restored. A deleted flag is gone, with its rules."
    >
      <FailureNotice error={failure} />
      <Stack gap="sm" align="flex-start">
        <Group gap="xs">
          {isArchived ? (
            <Button loading={isPending} onClick={restore}>
              Restore
            </Button>
          ) : (
            <Button variant="default" loading={isPending} onClick={asksFirst ? () => setIsAsking(true) : archive}>
              {asksFirst ? 'Archive…' : 'Archive'}
            </Button>
          )}
          {mayDelete && (
            <Button variant="outline" color="red" onClick={() => setIsDeleting(true)}>
              Delete…
            </Button>
          )}
        </Group>
        {!mayDelete && (
          <Text size="sm" c="dimmed">
            You can delete it once it is archived.
          </Text>
        )}
      </Stack>
      {isAsking && <ArchiveFlag flag={flag} archive={archiveNow} onClose={() => setIsAsking(false)} />}
      {isDeleting && <DeleteFlag flag={flag} onClose={() => setIsDeleting(false)} />}
    </Section>
  )
}

/** The environments in which it runs. */
const runningIn = ({ status, environments }: Flag) =>
  environments.filter(({ enabled }) => enabled && status !== 'ARCHIVED')

/** The message of an archived flag can restore it, so that it runs where it ran. */
function useArchiving(flag: Flag) {
  const client = useQueryClient()
  const [failure, setFailure] = useState<unknown>()
  const [isPending, setIsPending] = useState(false)
  const path = { projectId: flag.projectId, flagId: flag.id }
  const archive = async () => {
    const ran = runningIn(flag)
    const { act, undo } = archiveOf({ ...path, envIds: ran.map(({ envId }) => envId) })
    await act()
    const takeBack = async () => {
      await undo()
      await refreshFlag(client)
      announce(restored(ran.length > 0 ? `It runs in ${allOf(ran.map(({ name }) => name))} again.` : isPaused))
    }
    announce(`${flag.name} is archived.`, { undo: takeBack })
  }
  const restored = (what: string) => `${flag.name} is restored. ${what}`
  /** For a dialog, which shows a failure itself. */
  const archiveNow = async () => {
    await archive()
    await refreshFlag(client)
  }
  const restore = async () => {
    await api.POST(`${flagPath}/unarchive`, { params: { path } })
    announce(restored(isPaused))
  }
  const act = async (work: () => Promise<void>) => {
    setFailure(undefined)
    setIsPending(true)
    try {
      await work()
      await refreshFlag(client)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setFailure(error)
    } finally {
      setIsPending(false)
    }
  }
  return { archive: () => void act(archive), archiveNow, restore: () => void act(restore), failure, isPending }
}

/** Asks first, because a flag that runs is paused, and code that evaluates it gets something else afterwards. */
function ArchiveFlag({ flag, archive, onClose }: { flag: Flag; archive: () => Promise<void>; onClose: () => void }) {
  const running = runningIn(flag)
  return (
    <ConfirmDialog
      title={`Archive ${flag.name}`}
      verb={running.length > 0 ? 'Pause and archive' : 'Archive'}
      act={archive}
      onClose={onClose}
    >
      {running.length > 0 && (
        <p>
          It runs in {allOf(running.map(({ name }) => name))}. It is paused there first, and its schedules are
          suspended.
        </p>
      )}
      <StillUsed flag={flag} />
      <p>SDKs that ask for an archived flag return the default in your code. You can restore the flag.</p>
    </ConfirmDialog>
  )
}

/** Where code has evaluated it lately, and what to do first. Nothing if none has. */
function StillUsed({ flag }: { flag: Flag }) {
  const { params, environments } = usePlace()
  const used = latelyIn(flag.environments, useNow())
  if (used.length === 0) return null
  return (
    <>
      <p>Code has evaluated it in the last {counted(latelyDays, 'day')}:</p>
      <List size="sm">
        {used.map(({ envId, name, lastEvaluatedAt }) => (
          <List.Item key={envId}>
            <TextLink
              to="/$org/$project/environments/$environment/clients"
              params={{ ...params, environment: environments.find(({ id }) => id === envId)?.key ?? envId }}
              inherit
              underline="always"
            >
              Clients of {name}
            </TextLink>
            , <Time time={lastEvaluatedAt} />
          </List.Item>
        ))}
      </List>
      <p>
        Remove it from the code and deploy it first.{' '}
        <Anchor href="/docs/stale-flags" inherit underline="always">
          How to find it in the code
        </Anchor>
      </p>
    </>
  )
}

function DeleteFlag({ flag, onClose }: { flag: Flag; onClose: () => void }) {
  const { params } = usePlace()
  const client = useQueryClient()
  const navigate = useNavigate()
  return (
    <DangerDialog
      title={`Delete ${flag.name}`}
      verb="Delete the flag"
      typed={flag.key}
      act={async () => {
        await api.DELETE(flagPath, { params: { path: { projectId: flag.projectId, flagId: flag.id } } })
        await navigate({ to: '/$org/$project/flags', params, search: {} })
        await refresh(client, '/api/v1/projects/{projectId}/index')
        announce(`${flag.name} is deleted.`)
      }}
      onClose={onClose}
    >
      The flag, its rules and its variations are gone in every environment. SDKs that still ask for it return the
      default in your code. This cannot be undone.
    </DangerDialog>
  )
}
