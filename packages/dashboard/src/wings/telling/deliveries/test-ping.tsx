import { Button, Text } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, server } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { MainAction } from '../../../ui/layout/page.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { StatusDot } from '../../../ui/status/status-dot.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { refresh } from '../../../versioned.ts'
import { type Delivery, pingWords } from './delivery.ts'
import { testEvent } from './events.ts'
import type { Sender } from './sender.ts'
import classes from './test-ping.module.css'

/** Sends a test ping and shows the answer beside the button; before that, the answer to the last one. */
export function TestPing({ sender: { kind, id, enabled } }: { sender: Sender }) {
  const { project } = usePlace()
  const client = useQueryClient()
  const path = kind.at(project.id, id)
  const last = server.useQuery('get', kind.paths.deliveries, {
    params: { path, query: { eventType: testEvent, limit: 1 } },
  })
  const ping = useMutation({
    mutationFn: async () => (await api.POST(`${kind.paths.one}/test`, { params: { path } })).data!.data,
    onSuccess: () => refresh(client, kind.paths.deliveries),
  })
  // A switch sends a test as well, which can be newer than the one from here.
  const [listed, own] = [last.data?.data[0], ping.data]
  const shown = own && !(listed && listed.createdAt > own.createdAt) ? own : listed
  // While the webhook is off, the page asks to switch it on.
  const button = (
    <Button
      leftSection={<IconSend size={16} aria-hidden />}
      onClick={() => ping.mutate()}
      loading={ping.isPending}
      variant={enabled ? 'filled' : 'default'}
    >
      {kind.test}
    </Button>
  )
  return (
    <div className={classes.row}>
      {enabled ? <MainAction>{button}</MainAction> : button}
      <div role="status">{shown && !ping.isPending && <Answer delivery={shown} />}</div>
      <FailureNotice error={ping.error} />
    </div>
  )
}

function Answer({ delivery }: { delivery: Delivery }) {
  const { status, createdAt, lastAttemptAt } = delivery
  return (
    <Text size="sm" component="div" className={classes.answer ?? ''}>
      <StatusDot tone={status === 'DELIVERED' ? 'good' : 'bad'}>{pingWords(delivery)}</StatusDot>
      <Time time={lastAttemptAt ?? createdAt} />
    </Text>
  )
}
