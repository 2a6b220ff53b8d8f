import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../api.ts'
import { forgetForms } from '../ui/kept-form.ts'
import { sessionOptions } from './session.ts'

/** Ends this session, forgets what was typed in forms, and opens the sign-in page. If the call fails, the session is reloaded. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    forgetForms(localStorage)
    await api.POST('/api/dashboard/sign-out').catch(() => undefined)
    await navigate({ to: '/sign-in' })
    await client.invalidateQueries({ queryKey: sessionOptions.queryKey })
  }
}
