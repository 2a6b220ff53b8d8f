import { Skeleton, VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'
import classes from './skeletons.module.css'

interface SkeletonsProps {
  /** What will be there: lines of text, rows of a table, or cards. */
  like?: 'lines' | 'table' | 'cards'
  /** How many of them. */
  count?: number
}

/** Placeholders in the layout of what is being loaded. They appear after 150 ms. */
export function Skeletons({ like = 'lines', count = 3 }: SkeletonsProps) {
  const places = Array.from({ length: count }, (_, place) => place)
  return (
    <div className={classes.frame} role="status">
      <VisuallyHidden>Loading</VisuallyHidden>
      {like === 'lines' &&
        places.map((place) => <Skeleton key={place} height={18} width={`${90 - (place % 4) * 15}%`} />)}
      {like === 'table' && (
        <div className={classes.table}>
          {places.map((place) => (
            <div key={place} className={classes.row}>
              <Skeleton height={14} width={`${40 - (place % 3) * 6}%`} />
              <Skeleton height={14} width="15%" />
              <Skeleton height={14} width="10%" />
            </div>
          ))}
        </div>
      )}
      {like === 'cards' && (
        <div className={classes.cards}>
          {places.map((place) => (
            <div key={place} className={classes.card}>
              <Skeleton height={18} width="60%" />
              <Skeleton height={14} width="90%" />
              <Skeleton height={14} width="40%" />
            </div>
          ))}
        </div>
      )}
    </div>
  )
}

const appearsAfterMs = 150
const staysMs = 300

/** Whether placeholders are shown: as long as something is loading, and at least 300 ms if they became visible. */
export function useSkeletons(isLoading: boolean): boolean {
  const [isHeld, setIsHeld] = useState(false)
  useEffect(() => {
    if (!isLoading) return undefined
    const timer = setTimeout(() => setIsHeld(true), appearsAfterMs)
    return () => clearTimeout(timer)
  }, [isLoading])
  useEffect(() => {
    if (!isHeld) return undefined
    const timer = setTimeout(() => setIsHeld(false), staysMs)
    return () => clearTimeout(timer)
  }, [isHeld])
  return isLoading || isHeld
}
