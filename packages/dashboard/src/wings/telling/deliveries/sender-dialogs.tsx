import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { announce } from '../../../ui/announce.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { DangerDialog } from '../../../ui/danger-dialog.tsx'
import { refresh, useDone } from '../../../versioned.ts'
import { countInWords } from './health.ts'
import { pathsOf, type Sender } from './sender.ts'
import { useWaiting } from './waiting.ts'

interface DialogProps {
  sender: Sender
  onClose: () => void
}

const setEnabled = ({ kind, id }: Sender, projectId: string, enabled: boolean) =>
  api.PATCH(kind.paths.one, { params: { path: kind.at(projectId, id) }, body: { enabled } })

export function useSwitchOn(sender: Sender) {
  const { project } = usePlace()
  const done = useDone()
  return useMutation({
    mutationFn: () => setEnabled(sender, project.id, true),
    onSuccess: () => done(`${sender.name} is on again. Held deliveries are sent now.`, ...pathsOf(sender.kind)),
    onError: (error) => announce(error.message),
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
