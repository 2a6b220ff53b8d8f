import { useNavigate, useSearch } from '@tanstack/react-router'

/** The form that is open beside or over the page. It is in the address, so that a reload finds it open again. */
export function usePanel(): [panel: string | undefined, open: (panel: string) => void, close: () => void] {
  const navigate = useNavigate()
  const { panel } = useSearch({ strict: false })
  const go = (next: { panel?: string }) =>
    void navigate({
      to: '.',
      search: (({ panel: _before, ...others }: { panel?: string }) => ({ ...others, ...next })) as never,
      replace: true,
      resetScroll: false,
    })
  return [panel, (panel) => go({ panel }), () => go({})]
}
