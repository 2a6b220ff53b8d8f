export { runModelsOf } from './models/actions.ts'
export { modelRoutes } from './models/routes.ts'
export { recommendationRun } from './models/runs/worker.ts'
export { keepModels, modelSweeps, modelsIn } from './models/worker.ts'
