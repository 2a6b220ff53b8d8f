import { useLocation } from '@tanstack/react-router'

/** The secret of a link that came by mail. It is in the fragment of the address, which browsers do not send. */
export function useLinkSecret(): string | undefined {
  const hash = useLocation({ select: (location) => location.hash })
  return hash === '' ? undefined : hash
}
