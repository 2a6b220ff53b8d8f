import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Replaces the address without a step in the history: an old link keeps working, and shows the current words. */
export function Corrected({ to }: { to: string }) {
  const { history } = useRouter()
  useEffect(() => history.replace(to), [to, history])
  return null
}
