export { arrivalRoutes } from './routes.ts'
export { type ArrivalNotes, arrivalNotes, arrivalSweep, arrivalsIn, keepArrivals } from './worker.ts'
