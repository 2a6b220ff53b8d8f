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
import { counted } from '../../../ui/words/lists.ts'
import { refresh } from '../../../versioned.ts'
import { type Flag, refreshFlag } from '../flags/flag-queries.ts'
import { latelyDays, latelyIn } from './lately-evaluated.ts'

const flagPath = '/api/v1/projects/{projectId}/flags/{flagId}'

/** A flag that another person has deleted cannot be archived or deleted again. */
export const End = ({ flag }: { flag: Flag }) => !useIsDeleted() && <EndSection flag={flag} />

function EndSection({ flag }: { flag: Flag }) {
  const [isDeleting, setIsDeleting] = useState(false)
  const [isAsking, setIsAsking] = useState(false)
  const { archive, archiveNow, restore, failure, isPending } = useArchiving(flag)
  const used = latelyIn(flag.environments, useNow())
  const isArchived = flag.status === 'ARCHIVED'
  const running = flag.environments.filter(({ enabled }) => enabled && !isArchived)
  const mayDelete = isArchived || flag.status === 'DRAFT'
  return (
    <Section
      title="Archive and delete"
      description="An archived flag is removed from every data file and can be restored. A deleted flag is gone, with its rules."
    >
      <FailureNotice error={failure} />
      <Stack gap="sm" align="flex-start">
        {running.length > 0 && <PauseFirst flag={flag} running={running} />}
        {(running.length === 0 || mayDelete) && (
          <Group gap="xs">
            {isArchived ? (
              <Button loading={isPending} onClick={restore}>
                Restore
              </Button>
            ) : (
              running.length === 0 && (
                <Button
                  variant="default"
                  loading={isPending}
                  onClick={used.length > 0 ? () => setIsAsking(true) : archive}
                >
                  {used.length > 0 ? 'Archive…' : 'Archive'}
                </Button>
              )
            )}
            {mayDelete && (
              <Button variant="outline" color="red" onClick={() => setIsDeleting(true)}>
                Delete…
              </Button>
            )}
          </Group>
        )}
        {!mayDelete && (
          <Text size="sm" c="dimmed">
            You can delete it once it is archived.
          </Text>
        )}
      </Stack>
      {isAsking && <ArchiveUsed flag={flag} archive={archiveNow} onClose={() => setIsAsking(false)} />}
      {isDeleting && <DeleteFlag flag={flag} onClose={() => setIsDeleting(false)} />}
    </Section>
  )
}

/** The message of an archived flag can restore it. */
function useArchiving(flag: Flag) {
  const client = useQueryClient()
  const [failure, setFailure] = useState<unknown>()
  const [isPending, setIsPending] = useState(false)
  const path = { projectId: flag.projectId, flagId: flag.id }
  const archive = async () => {
    await api.POST(`${flagPath}/archive`, { params: { path } })
    announce(`${flag.name} is archived.`, { undo: () => void act(restore) })
  }
  /** For a dialog, which shows a failure itself. */
  const archiveNow = async () => {
    await archive()
    await refreshFlag(client)
  }
  const restore = async () => {
    await api.POST(`${flagPath}/unarchive`, { params: { path } })
    announce(`${flag.name} is restored. It is paused in every environment.`)
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

/** Where the flag still runs, with the way there. */
function PauseFirst({ flag, running }: { flag: Flag; running: Flag['environments'] }) {
  const { params, environments } = usePlace()
  return (
    <Text size="sm">
      Pause it first in{' '}
      {running.map(({ envId, name }, at) => (
        <span key={envId}>
          {at > 0 && (at === running.length - 1 ? ' and ' : ', ')}
          <TextLink
            to="/$org/$project/flags/$flag"
            params={{ ...params, flag: flag.key }}
            search={{ env: environments.find(({ id }) => id === envId)?.key ?? '' }}
            underline="always"
          >
            {name}
          </TextLink>
        </span>
      ))}
      .
    </Text>
  )
}

/** Asks first, because code that still evaluates the flag gets something else afterwards. */
function ArchiveUsed({ flag, archive, onClose }: { flag: Flag; archive: () => Promise<void>; onClose: () => void }) {
  const { params, environments } = usePlace()
  const used = latelyIn(flag.environments, useNow())
  return (
    <ConfirmDialog title={`Archive ${flag.name}`} verb="Archive" act={archive} onClose={onClose}>
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
      <p>SDKs that ask for an archived flag return the default in your code. You can restore the flag.</p>
    </ConfirmDialog>
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
