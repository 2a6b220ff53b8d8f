import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/**
 * Replaces the address without a step in the history: an old link keeps working, and shows the current words. The page
 * stays on the screen, because its project can be renamed while a person types.
 */
export function Corrected({ to }: { to: string }) {
  const { history } = useRouter()
  useEffect(() => history.replace(to), [to, history])
  return null
}
