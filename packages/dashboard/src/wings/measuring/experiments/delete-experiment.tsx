import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { onlyIf, useDone, type Versioned } from '../../../versioned.ts'
import { type Experiment, listPath, onePath } from './experiment.ts'

interface DeleteExperimentProps {
  experiment: Versioned<Experiment>
  /** What becomes of it, in sentences. */
  children: ReactNode
  onClose: () => void
}

/** Asks before an experiment is deleted, and goes back to the list. */
export function DeleteExperiment({ experiment: { content, etag }, children, onClose }: DeleteExperimentProps) {
  const { params } = usePlace()
  const navigate = useNavigate()
  const done = useDone()
  const remove = async () => {
    const path = { projectId: content.projectId, experimentId: content.id }
    await api.DELETE(onePath, { params: { path, header: onlyIf(etag) } })
    await navigate({ to: '/$org/$project/experiments', params })
    await done(`${content.name} deleted.`, listPath)
  }
  return (
    <ConfirmDialog title={`Delete ${content.name}`} verb="Delete experiment" isDangerous act={remove} onClose={onClose}>
      {children}
    </ConfirmDialog>
  )
}
