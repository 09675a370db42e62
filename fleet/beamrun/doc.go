// Package beamrun runs a plan on Apache Beam: on the prism runner inside the
// process, or on whatever job service Beam's flags name, such as Flink, Spark
// or Dataflow. Workers have to see the archive and the output folder under the
// same names, as on a shared file system.
//
// Only numbers of units and names of days go through Beam. Rows go from the
// worker that computes a unit to the output folder, and a unit whose part is
// there is not computed again; so bundles that a runner retries, and jobs that
// are submitted again, lose nothing and write nothing twice.
package beamrun
