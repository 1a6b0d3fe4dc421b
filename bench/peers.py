"""The same clustering by scikit-learn and faiss, where they are installed: prints seconds and peak memory as JSON.

Arguments: what, file of float32 numbers, rows, dims, k or eps, threads, most iterations.
"""
import json
import resource
import sys
import time

NOT_INSTALLED = 3
try:
    import numpy as np
except ImportError:
    sys.exit(NOT_INSTALLED)

what, file, rows, dims, choice, threads, iterations = sys.argv[1:8]
vectors = np.fromfile(file, dtype=np.float32).reshape(int(rows), int(dims))


def run():
    if what == "faiss":
        import faiss

        faiss.omp_set_num_threads(int(threads))
        means = faiss.Kmeans(
            int(dims), int(choice), niter=int(iterations), nredo=1, seed=0, max_points_per_centroid=2**31 - 1
        )
        means.train(vectors)
        return float(means.obj[-1])
    from threadpoolctl import threadpool_limits

    with threadpool_limits(int(threads)):
        if what == "k-means":
            from sklearn.cluster import KMeans

            means = KMeans(int(choice), n_init=1, random_state=0, max_iter=int(iterations))
            return float(means.fit(vectors).inertia_)
        if what == "silhouette":
            from sklearn.metrics import silhouette_score

            return float(silhouette_score(vectors, np.arange(int(rows)) % int(choice)))
        from sklearn.cluster import DBSCAN

        labels = DBSCAN(eps=float(choice), min_samples=1, metric="cosine", n_jobs=int(threads)).fit(vectors).labels_
        return int(labels.max() + 1)


# Loaded before the clock starts, as ours is.
try:
    if what == "faiss":
        import faiss  # noqa: F401
    else:
        import sklearn.cluster  # noqa: F401
        import sklearn.metrics  # noqa: F401
except ImportError:
    sys.exit(NOT_INSTALLED)
start = time.perf_counter()
result = run()
seconds = time.perf_counter() - start
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"seconds": seconds, "memory": memory, "result": result}))
