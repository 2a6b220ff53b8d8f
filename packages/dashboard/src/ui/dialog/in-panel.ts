import { createContext } from 'react'

/** Whether this is in a side panel, which scrolls by itself. */
export const InPanel = createContext(false)
