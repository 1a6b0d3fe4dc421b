(define (domain blocksworld-sample)
  (:requirements :strips)
  (:predicates (clear ?x) (ontable ?x) (handempty) (holding ?x) (on ?x ?y))
  (:action pick-up
    :parameters (?block)
    :precondition (and (clear ?block) (ontable ?block) (handempty))
    :effect (and (holding ?block) (not (clear ?block)) (not (ontable ?block)) (not (handempty))))
  (:action put-down
    :parameters (?block)
    :precondition (holding ?block)
    :effect (and (clear ?block) (handempty) (ontable ?block) (not (holding ?block))))
  (:action stack
    :parameters (?block ?below)
    :precondition (and (clear ?below) (holding ?block))
    :effect (and (handempty) (clear ?block) (on ?block ?below) (not (clear ?below)) (not (holding ?block))))
  (:action unstack
    :parameters (?block ?below)
    :precondition (and (on ?block ?below) (clear ?block) (handempty))
    :effect (and (holding ?block) (clear ?below) (not (on ?block ?below)) (not (clear ?block)) (not (handempty)))))
