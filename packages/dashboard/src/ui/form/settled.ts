import { useEffect, useEffectEvent, useState } from 'react'

/** Short enough to feel immediate, long enough not to ask the service for every letter. */
const settleMs = 250

/**
 * A text that becomes the value of the page a moment after the last key. If the page gets another value by itself, the
 * field shows that.
 */
export function useSettled(value: string, onSettled: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  const [sent, setSent] = useState(value)
  if (value !== seen) {
    setSeen(value)
    if (value !== sent) {
      setSent(value)
      setText(value)
    }
  }
  const settle = useEffectEvent(() => {
    setSent(text)
    onSettled(text)
  })
  useEffect(() => {
    if (text === sent) return
    const timer = setTimeout(settle, settleMs)
    return () => clearTimeout(timer)
  }, [text, sent])
  return [text, setText]
}
