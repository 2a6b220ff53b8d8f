import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useIsDeleted } from './deleted.tsx'
import { useKeys } from './keys.ts'

/**
 * What the page of a thing offers to people who may edit it: the panel that `?panel=` names, with `E` for the form, and a
 * question before the thing is deleted. Nothing once another person has deleted it; what is open stays.
 */
export function useObjectActions(noun: string, mayEdit: boolean) {
  const { panel = '' } = useSearch({ strict: false }) as { panel?: string }
  const navigate = useNavigate()
  const isDeleted = useIsDeleted()
  const [isDeleting, setIsDeleting] = useState(false)
  const offers = mayEdit && !isDeleted
  const go = ({ panel }: { panel?: string }) =>
    void navigate({ to: '.', search: ((before: object) => ({ ...before, panel })) as never, resetScroll: false })
  const open = (wanted: string) => go({ panel: wanted })
  useKeys(offers ? { e: { label: `Edit this ${noun}`, act: () => open('edit') } } : {})
  return {
    offers,
    /** Empty for people who may not edit. */
    panel: mayEdit ? panel : '',
    open,
    close: () => go({}),
    isDeleting,
    askDelete: () => setIsDeleting(true),
    keep: () => setIsDeleting(false),
  }
}
