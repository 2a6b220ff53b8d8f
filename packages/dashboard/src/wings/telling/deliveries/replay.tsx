import { Checkbox, Text } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { onlyOnce, randomKey } from '../../../idempotency.ts'
import { useNewForm } from '../../../shell/edit-form.tsx'
import { usePlace } from '../../../shell/place.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { ApiForm, first } from '../../../ui/form/form.tsx'
import { DateInput } from '../../../ui/time/date-input.tsx'
import { ZoneField } from '../../../ui/time/zone-field.tsx'
import { localIn, momentIn, ownZone } from '../../../ui/time/zoned-time.ts'
import { useDone } from '../../../versioned.ts'
import type { DeliveryStatus } from './delivery.ts'
import { countInWords } from './health.ts'
import classes from './replay.module.css'
import type { Replayed } from './replayed.tsx'
import { pathsOf, type Sender } from './sender.ts'
import { useCount } from './use-count.ts'

const dayMs = 86_400_000
const minuteMs = 60_000

interface ReplayProps {
  sender: Sender
  /** Called with the range when it is sent. */
  onReplayed: (replayed: Replayed) => void
  onClose: () => void
}

/** Sends what failed in a time range again, or everything. What is typed survives a reload. */
export function Replay(props: ReplayProps) {
  return (
    <Dialog onClose={props.onClose} title="Replay a time range">
      <ReplayForm {...props} />
    </Dialog>
  )
}

function ReplayForm(props: ReplayProps) {
  const { sender } = props
  const { kind } = sender
  const form = useReplayForm(props)
  const { since, until, zone, includeDelivered } = form.values
  const statuses: DeliveryStatus[] = [
    'FAILED',
    'PERMANENTLY_FAILED',
    ...(includeDelivered ? ['DELIVERED' as const] : []),
  ]
  const found = useCount(sender, statuses, {
    since: momentIn(since, zone)?.toISOString(),
    until: momentIn(until, zone)?.toISOString(),
  })
  return (
    <ApiForm form={form} verb="Send again">
      <Text size="sm">
        Deliveries that were created in this time are sent again
        {kind.noun === 'webhook'
          ? ', with their original ids, so that your server recognizes those that it has. They are signed with the current secret.'
          : ', as the destination is set up now.'}
      </Text>
      <div className={classes.range}>
        <DateInput {...form.field('since')} label="From" type="datetime-local" {...first} />
        <DateInput {...form.field('until')} label="Until" type="datetime-local" />
      </div>
      <ZoneField {...form.field('zone')} label="Time zone" />
      <Checkbox
        label="Also those that arrived"
        description="If your server lost data."
        checked={includeDelivered}
        onChange={({ currentTarget }) => form.set('includeDelivered', currentTarget.checked)}
      />
      <Text size="sm" role="status">
        {found && inWords(found)}
      </Text>
    </ApiForm>
  )
}

const inWords = ({ count, hasMore }: { count: number; hasMore: boolean }): string =>
  count === 0
    ? 'There is nothing to send again in this time.'
    : `${countInWords(count, hasMore)} ${count === 1 && !hasMore ? 'is' : 'are'} sent again.`

function lastDay() {
  const zone = ownZone()
  const now = Date.now()
  // The end is not part of the range, and the field has no seconds.
  const end = new Date(now + minuteMs)
  return {
    since: localIn(new Date(now - dayMs), zone),
    until: localIn(end, zone),
    zone,
    includeDelivered: false,
    // Sent once more after a reload that came before the answer, it is still one replay.
    once: randomKey(),
  }
}

function useReplayForm({ sender, onReplayed, onClose }: ReplayProps) {
  const { project } = usePlace()
  const done = useDone()
  const { kind } = sender
  const path = kind.at(project.id, sender.id)
  const [initial] = useState(lastDay)
  return useNewForm({
    object: `replay:${sender.id}`,
    initial,
    rules: {
      since: (text, { zone }) => (momentIn(text, zone) ? undefined : 'Enter date and time.'),
      until: (text, { since, zone }) => {
        const [from, to] = [momentIn(since, zone), momentIn(text, zone)]
        if (!to) return 'Enter date and time.'
        return from && from >= to ? 'The end must be later than the start.' : undefined
      },
    },
    send: async ({ since, until, zone, includeDelivered, once }) => {
      const body = {
        since: momentIn(since, zone)!.toISOString(),
        until: momentIn(until, zone)!.toISOString(),
        includeDelivered,
      }
      const header = onlyOnce(`${once} ${body.since} ${body.until} ${includeDelivered}`)
      const { data } = await api.POST(`${kind.paths.deliveries}/replay`, { params: { path, header }, body })
      return { ...body, count: data!.data.replayed }
    },
    done: async (replayed) => {
      const what = countInWords(replayed.count, false)
      await done(
        sender.enabled ? `${what} sent again.` : `${what} sent again when you switch the ${kind.noun} on.`,
        ...pathsOf(kind),
      )
      const { since, until, count } = replayed
      if (count > 0) onReplayed({ since, until, count })
      onClose()
    },
  })
}
