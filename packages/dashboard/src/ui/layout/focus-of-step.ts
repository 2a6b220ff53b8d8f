import { useEffect, useRef } from 'react'

/** The heading of a step gets the focus when the step opens after another one. */
export function useFocusOfStep(step: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    // What had the focus may be gone with its step, and then no key would reach the panel.
    heading.current?.focus()
  }, [step])
  return heading
}
