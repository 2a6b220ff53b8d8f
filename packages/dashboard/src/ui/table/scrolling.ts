import { type RefObject, useEffect, useState } from 'react'

/**
 * What makes a frame that scrolls sideways reachable for people without a pointer: a tab stop with a name, but only while
 * there is something to scroll to.
 */
export function useScrolling(frame: RefObject<HTMLElement | null>, name: string) {
  const [scrolls, setScrolls] = useState(false)
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const look = () => setScrolls(element.scrollWidth > element.clientWidth)
    const observer = new ResizeObserver(look)
    for (const each of [element, ...element.children]) observer.observe(each)
    return () => observer.disconnect()
  }, [frame])
  return scrolls ? ({ tabIndex: 0, role: 'group', 'aria-label': `${name}, scrolls sideways` } as const) : {}
}
