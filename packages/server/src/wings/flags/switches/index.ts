export { type Switching, switching } from './actions.ts'
export { switchRoutes } from './routes.ts'
export { scheduleRoutes } from './schedules/routes.ts'
export { type ScheduleWorker, scheduleWorker } from './schedules/worker.ts'
