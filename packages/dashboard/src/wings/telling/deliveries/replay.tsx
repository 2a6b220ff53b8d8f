import { Checkbox, NativeSelect, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { ApiForm, first, useForm } from '../../../ui/form.tsx'
import { localIn, momentIn } from '../../../ui/zoned-time.ts'
import { zones } from '../../../ui/zones.ts'
import { useDone } from '../../../versioned.ts'
import type { DeliveryStatus } from './delivery.ts'
import { testEvent } from './events.ts'
import { countInWords } from './health.ts'
import classes from './replay.module.css'
import { pathsOf, type Sender } from './sender.ts'

const dayMs = 86_400_000
const minuteMs = 60_000
const readAtMost = 100

interface ReplayProps {
  sender: Sender
  onClose: () => void
}

/** Sends what failed in a time range again, or everything. */
export function Replay(props: ReplayProps) {
  return (
    <Dialog onClose={props.onClose} title="Replay a time range">
      <ReplayForm {...props} />
    </Dialog>
  )
}

function ReplayForm({ sender, onClose }: ReplayProps) {
  const { project } = usePlace()
  const done = useDone()
  const { kind } = sender
  const path = kind.at(project.id, sender.id)
  const [choices] = useState(zones)
  const [initial] = useState(() => {
    const zone = choices[0]!
    const now = Date.now()
    // The end is not part of the range, and the field has no seconds.
    const end = new Date(now + minuteMs)
    return { since: localIn(new Date(now - dayMs), zone), until: localIn(end, zone), zone, includeDelivered: false }
  })
  const form = useForm({
    initial,
    rules: {
      since: (text, { zone }) => (momentIn(text, zone) ? undefined : 'Enter date and time.'),
      until: (text, { since, zone }) => {
        const [from, to] = [momentIn(since, zone), momentIn(text, zone)]
        if (!to) return 'Enter date and time.'
        return from && from >= to ? 'The end must be later than the start.' : undefined
      },
    },
    send: async ({ since, until, zone, includeDelivered }) => {
      const body = {
        since: momentIn(since, zone)!.toISOString(),
        until: momentIn(until, zone)!.toISOString(),
        includeDelivered,
      }
      return (await api.POST(`${kind.paths.deliveries}/replay`, { params: { path }, body })).data!.data
    },
    done: async ({ replayed }) => {
      const what = countInWords(replayed, false)
      await done(
        sender.enabled ? `${what} sent again.` : `${what} sent again when you switch the ${kind.noun} on.`,
        ...pathsOf(kind),
      )
      onClose()
    },
  })
  const { since, until, zone, includeDelivered } = form.values
  const from = momentIn(since, zone)?.toISOString()
  const to = momentIn(until, zone)?.toISOString()
  const statuses: DeliveryStatus[] = [
    'FAILED',
    'PERMANENTLY_FAILED',
    ...(includeDelivered ? ['DELIVERED' as const] : []),
  ]
  const count = useQuery({
    queryKey: ['replay', sender.id, from, to, includeDelivered],
    enabled: from !== undefined && to !== undefined && from < to,
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        statuses.map(async (status) => {
          const query = { status, since: from!, until: to!, limit: readAtMost }
          return (await api.GET(kind.paths.deliveries, { params: { path, query }, signal })).data!
        }),
      )
      // Test pings are not replayed.
      return {
        count: pages.flatMap(({ data }) => data).filter(({ eventType }) => eventType !== testEvent).length,
        hasMore: pages.some(({ page }) => page.nextCursor !== null),
      }
    },
  })
  return (
    <ApiForm form={form} verb="Send again">
      <Text size="sm">
        Deliveries that were created in this time are sent again
        {kind.noun === 'webhook'
          ? ', with the ids that they had, so that your server knows those that it has. They are signed with the current secret.'
          : ', in the form that the destination has now.'}
      </Text>
      <div className={classes.range}>
        <TextInput {...form.field('since')} label="From" type="datetime-local" {...first} />
        <TextInput {...form.field('until')} label="Until" type="datetime-local" />
      </div>
      <NativeSelect {...form.field('zone')} label="Time zone" data={choices} />
      <Checkbox
        label="Also those that arrived"
        description="If your server lost data."
        checked={includeDelivered}
        onChange={({ currentTarget }) => form.set('includeDelivered', currentTarget.checked)}
      />
      <Text size="sm" role="status">
        {count.data && inWords(count.data)}
      </Text>
    </ApiForm>
  )
}

const inWords = ({ count, hasMore }: { count: number; hasMore: boolean }): string =>
  count === 0
    ? 'There is nothing to send again in this time.'
    : `${countInWords(count, hasMore)} ${count === 1 && !hasMore ? 'is' : 'are'} sent again.`
