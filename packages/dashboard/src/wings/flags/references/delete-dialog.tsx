import { type ReactNode, useState } from 'react'
import { DangerDialog } from '../../../ui/dialog/danger-dialog.tsx'
import { useNames } from './names.ts'
import { type Reference, ReferenceLink } from './reference-link.tsx'
import { referencesIn } from './references.ts'

interface DeleteDialogProps {
  /** "audience", "segment". */
  noun: string
  name: string
  /** What is known to use it. A refusal of the service adds the rest. */
  usedBy?: readonly Reference[]
  remove: () => Promise<unknown>
  onClose: () => void
  children: ReactNode
}

/** Deletes after the name was typed. What still uses the thing is listed with links, before or after the service refused. */
export function DeleteDialog({ noun, name, usedBy = [], remove, onClose, children }: DeleteDialogProps) {
  const [refused, setRefused] = useState<readonly Reference[]>([])
  const all = refused.length > 0 ? refused : usedBy
  const names = useNames(all.map(({ id }) => id))
  const act = async () => {
    try {
      return await remove()
    } catch (error) {
      setRefused(referencesIn(error))
      throw error
    }
  }
  return (
    <DangerDialog
      title={`Delete the ${noun} ${name}`}
      verb={`Delete ${noun}`}
      typed={name}
      references={all.map((reference) => ({
        key: reference.id,
        link: <ReferenceLink reference={reference} named={names.get(reference.id)} />,
      }))}
      act={act}
      onClose={onClose}
    >
      {children}
    </DangerDialog>
  )
}
