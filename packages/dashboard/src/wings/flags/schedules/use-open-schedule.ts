import { useNavigate } from '@tanstack/react-router'

/** Opens the form for the schedule of the flag, or of the rule with this id, or closes it. */
export function useOpenSchedule(): (which: string | undefined) => void {
  const navigate = useNavigate()
  return (schedule) =>
    void navigate({
      to: '.',
      search: ((old: object) => ({ ...old, schedule, rule: undefined })) as never,
      resetScroll: false,
    })
}
