import { useRef } from 'react'
import type { Versioned } from '../../../versioned.ts'
import type { Experiment } from './experiment.ts'

/**
 * The versions that a form can save to, whole. A form holds the ETag of the version that it began with, has read or has
 * saved. What goes with that ETag, but is not on the form, must be of the same version: another person may have changed it.
 */
export function useKnownVersions(current: Versioned<Experiment>) {
  const known = useRef(new Map<string, Experiment>())
  const keep = (version: Versioned<Experiment>): Versioned<Experiment> => {
    known.current.set(version.etag, version.content)
    return version
  }
  keep(current)
  return {
    keep,
    /** A form from before a reload can have an older ETag than all of them: the service refuses it, and the form reads. */
    at: (etag: string): Experiment => known.current.get(etag) ?? current.content,
  }
}
