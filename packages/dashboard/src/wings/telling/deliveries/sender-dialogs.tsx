import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { DangerDialog } from '../../../ui/dialog/danger-dialog.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { refresh, useDone } from '../../../versioned.ts'
import { type Delivery, pingWords } from './delivery.ts'
import { asksFirst, countInWords } from './health.ts'
import { pathsOf, type Sender } from './sender.ts'
import { useWaiting } from './waiting.ts'

interface DialogProps {
  sender: Sender
  onClose: () => void
}

const setEnabled = ({ kind, id }: Sender, projectId: string, enabled: boolean) =>
  api.PATCH(kind.paths.one, { params: { path: kind.at(projectId, id) }, body: { enabled } })

/** The test of a switch has failed: it was not moved. */
export class NotSwitchedOn extends Error {
  readonly ping: Delivery

  constructor(ping: Delivery) {
    super(pingWords(ping))
    this.ping = ping
  }
}

/**
 * Switches on what is off. A receiver that still fails would use up what is held, and the switch would be off again at
 * once: a test comes first, unless the person switches it on anyway.
 */
export function useSwitchOn(sender: Sender) {
  const { project } = usePlace()
  const client = useQueryClient()
  const done = useDone()
  const { kind, id, name } = sender
  return useMutation({
    mutationFn: async ({ isTested }: { isTested: boolean }) => {
      if (isTested && asksFirst(sender)) {
        const { data } = await api.POST(`${kind.paths.one}/test`, { params: { path: kind.at(project.id, id) } })
        const ping = data!.data
        await refresh(client, kind.paths.deliveries)
        if (ping.status !== 'DELIVERED') throw new NotSwitchedOn(ping)
      }
      await setEnabled(sender, project.id, true)
    },
    onSuccess: () => done(`${name} is on again. Held deliveries are sent now.`, ...pathsOf(kind)),
  })
}

export function SwitchOff({ sender, onClose }: DialogProps) {
  const { project } = usePlace()
  const done = useDone()
  const waiting = useWaiting(sender)
  const act = async () => {
    await setEnabled(sender, project.id, false)
    await done(`${sender.name} is off.`, ...pathsOf(sender.kind))
  }
  return (
    <ConfirmDialog title={`Switch off ${sender.name}?`} verb="Switch off" act={act} onClose={onClose}>
      It gets no more events.{' '}
      {waiting && waiting.count > 0
        ? `${countInWords(waiting.count, waiting.hasMore)} waiting now ${waiting.count === 1 ? 'is' : 'are'} held until you switch it on.`
        : 'Nothing is waiting now.'}{' '}
      {sender.kind.whileOff}
    </ConfirmDialog>
  )
}

export function DeleteSender({ sender: { kind, id, name }, onClose }: DialogProps) {
  const { project, params } = usePlace()
  const client = useQueryClient()
  const navigate = useNavigate()
  const act = async () => {
    await api.DELETE(kind.paths.one, { params: { path: kind.at(project.id, id) } })
    await navigate({ to: kind.pages.all, params })
    await refresh(client, kind.paths.list)
    announce(`${name} deleted.`)
  }
  return (
    <DangerDialog title={`Delete ${name}?`} verb={`Delete ${kind.noun}`} typed={name} act={act} onClose={onClose}>
      {kind.deleted} This cannot be undone.
    </DangerDialog>
  )
}
