import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../api.ts'
import { forgetForms } from '../ui/form/kept-form.ts'
import { forgetAllRecent } from '../ui/notice/recent.ts'
import { sessionOptions } from './session.ts'

/**
 * Ends this session, forgets what the person typed and saved in this browser, and opens the sign-in page. If the call
 * fails, the session is reloaded.
 */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    forgetForms(localStorage)
    forgetAllRecent()
    forgetOwn()
    await api.POST('/api/dashboard/sign-out').catch(() => undefined)
    await navigate({ to: '/sign-in' })
    await client.invalidateQueries({ queryKey: sessionOptions.queryKey })
  }
}

/** What belongs to the person: visitors of the playground, what the palette opened last, the key in the guides. */
const own = ['svc.visitors.', 'svc.recent.', 'svc.example']

function forgetOwn(): void {
  for (const key of Object.keys(localStorage))
    if (own.some((prefix) => key.startsWith(prefix))) localStorage.removeItem(key)
}
