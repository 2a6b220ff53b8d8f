// A shop page that renders again 20 times a second and writes new texts into the elements that experiments change.
import { createElement, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

const rendersEachMs = 50

function Shop({ elements }: { elements: number }) {
  const [round, setRound] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setRound((before) => before + 1), rendersEachMs)
    return () => clearInterval(timer)
  }, [])
  return Array.from({ length: elements }, (_, index) =>
    createElement('p', { className: `t0-${index}`, key: index }, `Old ${index}, render ${round}`),
  )
}

const root = document.querySelector<HTMLElement>('#root')!
createRoot(root).render(createElement(Shop, { elements: Number(root.dataset.elements) }))
